import { Link } from '@tanstack/react-router';

export function NotFound() {
  return (
    <div>
      <h1>No such page</h1>
      <p>
        The address does not belong to a page of the console. See the <Link to="/jobs">jobs</Link>.
      </p>
    </div>
  );
}
