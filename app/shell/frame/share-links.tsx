import { IconLink } from "#app/ui/button.tsx";
import { FacebookIcon, LinkedInIcon, TwitterIcon } from "#app/ui/icons.tsx";

type Shared = { url: string; title?: string };

export function networks({ url, title }: Shared) {
  const page = encodeURIComponent(url);
  const text = title === undefined ? "" : `&text=${encodeURIComponent(title)}`;
  return [
    { label: "Twitter", icon: TwitterIcon, to: `https://twitter.com/intent/tweet?url=${page}${text}` },
    { label: "Facebook", icon: FacebookIcon, to: `https://www.facebook.com/sharer/sharer.php?u=${page}` },
    { label: "LinkedIn", icon: LinkedInIcon, to: `https://www.linkedin.com/sharing/share-offsite/?url=${page}` },
  ];
}

export function ShareLinks({ className, ...shared }: Shared & { className: string }) {
  return (
    <ul className={className}>
      {networks(shared).map(({ label, icon, to }) => (
        <li key={label}>
          <IconLink label={`Share on ${label}`} icon={icon} to={to} target="_blank" rel="noopener noreferrer" />
        </li>
      ))}
    </ul>
  );
}
