type FormErrorProps = { className?: string; children: string | undefined };

export function FormError({ className = "mt-3", children }: FormErrorProps) {
  if (!children) return null;
  return (
    <p role="alert" className={`text-sm text-danger ${className}`}>
      {children}
    </p>
  );
}
