import { useInfiniteQuery } from '@tanstack/react-query';
import type { Watch } from '@telecine/client';
import { failureGroups, filesText, groupedText } from '../../packages/contract/src/domain/watch-text.ts';
import { Button } from '../ui/button.tsx';
import { codeInWords } from '../ui/format.ts';
import ink from '../ui/ink.module.css';
import { QueryState } from '../ui/query-state.tsx';
import { Section } from '../ui/section.tsx';
import { WithCode } from '../ui/with-code.tsx';
import { watchedFilesQuery } from './watches-query.ts';

/** How many files of a group are listed. */
const LISTED = 5;

/** The first files that wait for a person, by the reason, with the fixes. */
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
  const failed = useInfiniteQuery(watchedFilesQuery(watchId, 'NEEDS_ATTENTION', 500));
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
        {({ pages: [first] }) => {
          const groups = failureGroups(first?.files ?? []);
          const sections = groups.map(({ code, paths, messages, fixes }) => (
            <Section
              key={code}
              variant="panel"
              title={`${codeInWords(code)} · ${filesText(paths.length)}`}
              actions={
                onRetry !== undefined && (
                  <Button
                    disabled={isRetrying}
                    aria-label={`Retry these files with ${code}`}
                    onClick={() => onRetry(paths)}
                  >
                    Retry these
                  </Button>
                )
              }
            >
              {[...messages.slice(0, 1), ...fixes].map((text) => (
                <p key={text}>
                  <WithCode text={text} />
                </p>
              ))}
              <ul className={ink.soft} aria-label={`Files with ${code}`}>
                {paths.slice(0, LISTED).map((path) => (
                  <li key={path}>{path}</li>
                ))}
                {paths.length > LISTED && <li>and {(paths.length - LISTED).toLocaleString()} more</li>}
              </ul>
            </Section>
          ));
          const which = groupedText(groups, counts);
          return which === undefined ? sections : [<p key="which">{which}</p>, ...sections];
        }}
      </QueryState>
    </Section>
  );
}
