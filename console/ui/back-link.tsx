import { Link, type LinkProps } from '@tanstack/react-router';
import ChevronLeft from 'lucide-react/icons/chevron-left';
import styles from './back-link.module.css';

/** The link above the heading of a page that leads back to the list to which the page belongs. */
export function BackLink({
  children,
  ...target
}: Pick<LinkProps, 'to' | 'params' | 'search'> & { readonly children: string }) {
  return (
    <Link {...target} className={styles.back}>
      <ChevronLeft /> {children}
    </Link>
  );
}
