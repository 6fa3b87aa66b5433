import type { ConversionRequest } from '@telecine/client';
import { type ReactNode, useState } from 'react';
import { client } from '../app/client.ts';
import { SecretNote } from '../app/secret-note.tsx';
import { useSession } from '../session/use-session.ts';
import { CodeBlock } from '../ui/code-block.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Section } from '../ui/section.tsx';
import { Segments } from '../ui/segments.tsx';
import { useMedia } from '../ui/use-media.ts';
import { WithCode } from '../ui/with-code.tsx';
import type { LeftOut } from './draft.ts';
import { EXPORTS, type ExportForm, exportRequest } from './export-request.ts';
import styles from './export-section.module.css';
import { Fold } from './fold.tsx';
import { leftOutText } from './hidden-parts.ts';
import { SaveRecipe } from './save-recipe.tsx';

interface Props {
  readonly request: ConversionRequest;
  /** All requests, one for each source. `request` is then that of the plan. */
  readonly requests: readonly ConversionRequest[];
  /** What `request` lacks of the request in the workbench, which runs a job again. */
  readonly leftOut: readonly LeftOut[];
  /** Whether the request has errors now, so that only its text is of use. */
  readonly isInvalid: boolean;
  /** Further things to do with the request. */
  readonly children?: ReactNode;
}

const FORMS = (Object.keys(EXPORTS) as readonly ExportForm[]).map((form) => ({ value: form, name: EXPORTS[form] }));

/** The choices of what is exported, if there are several requests. */
const whatOf = (count: number) =>
  [
    { value: 'one', name: 'This source' },
    { value: 'all', name: `All ${count} as a batch` },
  ] as const;

/** Exports the request as JSON, as a curl command, as TypeScript, or as a recipe of the client. */
export function ExportSection({ request, requests, leftOut, isInvalid, children }: Props) {
  const isPhone = useMedia('(width < 48rem)');
  const [form, setForm] = useState<ExportForm>('json');
  const [what, setWhat] = useState<'one' | 'all'>('one');
  const session = useSession();
  const exported = what === 'all' && requests.length > 1 ? requests : request;
  const text = exportRequest(form, exported, { url: client.url, clientId: session.data?.clientId ?? '' });
  return (
    <Section variant="quiet" title="Export">
      <Fold isFolded={isPhone} summary="Show the request, or save it as a recipe">
        {requests.length > 1 && (
          <Segments label="Which requests" options={whatOf(requests.length)} value={what} onChoose={setWhat} />
        )}
        <div className={styles.bar}>
          <Segments label="Form" options={FORMS} value={form} onChoose={setForm} />
          <CopyButton
            key={text}
            text={text}
            label={isInvalid ? 'Copy the request with its errors' : 'Copy the request'}
          />
        </div>
        {isInvalid && <p className={styles.note}>This request has errors, and cannot run.</p>}
        <div className={styles.request} data-invalid={isInvalid}>
          <CodeBlock label="Request">{text}</CodeBlock>
        </div>
        {leftOut.length > 0 && (
          <p className={styles.note}>
            <WithCode text={leftOutText(leftOut)} />
          </p>
        )}
        {form === 'curl' && <SecretNote />}
        <SaveRecipe read={() => request} origin="Made in the workbench." isDisabled={isInvalid} />
        {children}
      </Fold>
    </Section>
  );
}
