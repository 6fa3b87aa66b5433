import type { ConversionRequest } from '@telecine/client';
import { useState } from 'react';
import { client } from '../app/client.ts';
import { useSession } from '../session/use-session.ts';
import { Button } from '../ui/button.tsx';
import { EXPORTS, type ExportForm, exportRequest } from './export-request.ts';
import styles from './export-section.module.css';
import { SaveRecipe } from './save-recipe.tsx';
import { Section } from './section.tsx';

interface Props {
  readonly request: ConversionRequest;
  /** The options of the request and its recipe together, if the service has planned it. */
  readonly parameters: ConversionRequest['parameters'];
}

const FORMS = Object.keys(EXPORTS) as readonly ExportForm[];

/** The request for elsewhere: as JSON, as a command of curl, as TypeScript, or as a recipe of one's own. */
export function ExportSection({ request, parameters }: Props) {
  const [form, setForm] = useState<ExportForm>('json');
  const [copied, setCopied] = useState<string>();
  const session = useSession();
  const text = exportRequest(form, request, { url: client.url, clientId: session.data?.clientId ?? '' });
  return (
    <Section title="Take it along">
      <div className={styles.bar}>
        <div role="group" aria-label="Form" className={styles.forms}>
          {FORMS.map((each) => (
            <Button key={each} variant="quiet" aria-pressed={form === each} onClick={() => setForm(each)}>
              {EXPORTS[each]}
            </Button>
          ))}
        </div>
        <Button
          className={styles.copy}
          onClick={() =>
            // Browsers have no clipboard for pages without TLS, except on the machine itself.
            void (navigator.clipboard?.writeText(text) ?? Promise.reject()).then(
              () => setCopied(text),
              () => setCopied(undefined),
            )
          }
        >
          {copied === text ? 'Copied' : 'Copy'}
        </Button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it. */}
      <pre className={styles.text} tabIndex={0}>
        {text}
      </pre>
      <SaveRecipe request={request} parameters={parameters} />
    </Section>
  );
}
