import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { RecipeDefinition } from '@telecine/client';
import { mayDo } from '../session/may-do.ts';
import { useSession } from '../session/use-session.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import ink from '../ui/ink.module.css';
import { Section } from '../ui/section.tsx';
import { watchesQuery } from '../watches/watches-query.ts';
import { watchesOf } from './watches-with.ts';

/** Who can use a recipe, and which watches do. */
export function AudienceSection({
  name,
  definition,
}: {
  readonly name: string;
  readonly definition: RecipeDefinition;
}) {
  const { data: session } = useSession();
  const clientId = session?.clientId ?? '';
  const read = useQuery({ ...watchesQuery, enabled: mayDo(session, 'jobs:read') });
  const watches = watchesOf(read.data?.watches ?? [], name, clientId);
  return (
    <Section variant="quiet" title="Who can use it">
      <p className={ink.soft}>
        Only the client {clientId}: here, in its requests, in its watches and by its language models. Other clients do
        not see it.
      </p>
      {watches.length > 0 && (
        <p className={ink.soft}>
          {watches.length === 1 ? 'A watch converts with it: ' : 'Watches convert with it: '}
          {watches.map(({ watchId, name: title, folder }, index) => (
            <span key={watchId}>
              {index > 0 && ', '}
              <Link to="/watches/$watchId" params={{ watchId }}>
                {title ?? folder}
              </Link>
            </span>
          ))}
          . A saved change applies to its next files.
        </p>
      )}
      <p className={ink.soft}>
        For all clients, the operator puts it as {name}.json into the folder that <code>TELECINE_RECIPES_DIR</code>{' '}
        names.
      </p>
      <div>
        <CopyButton text={JSON.stringify(definition, null, 2)} label={`Copy ${name}.json`} />
      </div>
    </Section>
  );
}
