type OneTimeSecretProps = { id: string; title: string; text: string; secret: string; className: string };

export function OneTimeSecret({ id, title, text, secret, className }: OneTimeSecretProps) {
  return (
    <section aria-labelledby={id} className={`rounded-lg border border-line bg-raised px-5 py-4 ${className}`} role="status">
      <h2 id={id} className="text-base font-medium">
        {title}
      </h2>
      <p className="mt-1 text-sm text-ink-2">{text}</p>
      <code className="mt-3 block wrap-anywhere rounded-md bg-paper px-3 py-2 text-sm select-all">{secret}</code>
    </section>
  );
}
