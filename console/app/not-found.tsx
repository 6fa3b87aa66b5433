import { Link } from '@tanstack/react-router';
import { PageHeading } from '../ui/page-heading.tsx';

export function NotFound() {
  return (
    <div>
      <PageHeading>No such page</PageHeading>
      <p>
        The address does not belong to a page of the console. See the <Link to="/jobs">jobs</Link>.
      </p>
    </div>
  );
}
