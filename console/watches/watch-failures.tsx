import { useQuery } from '@tanstack/react-query';
import type { Watch } from '@telecine/client';
import { type FailureGroup, failureGroups, filesText } from '../../packages/contract/src/domain/watch-text.ts';
import { client } from '../app/client.ts';
import { Button } from '../ui/button.tsx';
import { codeInWords } from '../ui/format.ts';
import ink from '../ui/ink.module.css';
import { QueryState } from '../ui/query-state.tsx';
import { Section } from '../ui/section.tsx';
import { WithCode } from '../ui/with-code.tsx';
import { watchedFilesKey } from './watch-keys.ts';
import styles from './watches.module.css';

/** The most failed files that are read and grouped. */
const READ = 500;

/** How many files of a group are listed. */
const LISTED = 5;

/** The files that wait for a person, by the reason, with the fixes. */
export function WatchFailures({
  watch: { watchId, counts },
  isRetrying,
  onRetry,
}: {
  readonly watch: Watch;
  readonly isRetrying: boolean;
  /** undefined: the client may not retry. */
  readonly onRetry: ((paths?: readonly string[]) => void) | undefined;
}) {
  const failed = useQuery({
    // Another number of failures means other failures.
    queryKey: [...watchedFilesKey(watchId), 'failures', counts.needsAttention],
    queryFn: ({ signal }) => client.watchedFiles(watchId, { state: 'NEEDS_ATTENTION', limit: READ, signal }),
  });
  return (
    <Section
      title={`${filesText(counts.needsAttention)} need${counts.needsAttention === 1 ? 's' : ''} attention`}
      actions={
        onRetry !== undefined && (
          <Button variant="primary" disabled={isRetrying} onClick={() => onRetry()}>
            Retry all failed
          </Button>
        )
      }
    >
      <QueryState query={failed}>
        {({ files, nextCursor }) => (
          <>
            {failureGroups(files).map((group) => (
              <Group key={group.code} group={group} isRetrying={isRetrying} onRetry={onRetry} />
            ))}
            {nextCursor !== undefined && (
              <p className={ink.soft}>
                The first {READ} are shown. "Retry all failed" is for all {counts.needsAttention.toLocaleString()}.
              </p>
            )}
          </>
        )}
      </QueryState>
    </Section>
  );
}

function Group({
  group: { code, files, messages, fixes },
  isRetrying,
  onRetry,
}: {
  readonly group: FailureGroup;
  readonly isRetrying: boolean;
  readonly onRetry: ((paths: readonly string[]) => void) | undefined;
}) {
  const paths = files.map(({ path }) => path);
  return (
    <div className={styles.group}>
      <div className={styles.bar}>
        <h3>
          {codeInWords(code)} · {filesText(files.length)} <code className={styles.code}>{code}</code>
        </h3>
        {onRetry !== undefined && (
          <Button disabled={isRetrying} aria-label={`Retry these files with ${code}`} onClick={() => onRetry(paths)}>
            Retry these
          </Button>
        )}
      </div>
      <p>
        <WithCode text={messages[0] ?? ''} />
      </p>
      {fixes.map((fix) => (
        <p key={fix}>
          <WithCode text={fix} />
        </p>
      ))}
      <ul aria-label={`Files with ${code}`}>
        {paths.slice(0, LISTED).map((path) => (
          <li key={path}>{path}</li>
        ))}
        {paths.length > LISTED && <li>and {(paths.length - LISTED).toLocaleString()} more</li>}
      </ul>
    </div>
  );
}
