import { Link } from '@tanstack/react-router';
import { PageHeading } from '../ui/page-heading.tsx';

export function NotFound() {
  return (
    <div>
      <PageHeading>No such page</PageHeading>
      <p>
        The console has no page at this address. See the <Link to="/jobs">jobs</Link>.
      </p>
    </div>
  );
}
