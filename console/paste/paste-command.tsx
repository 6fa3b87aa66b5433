import type { ConversionRequest } from '@telecine/client';
import { useEffect, useId, useRef, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { fixText } from '../ui/fix-text.ts';
import { WithCode } from '../ui/with-code.tsx';
import styles from './paste-command.module.css';
import { isJson } from './pasted-json.ts';
import { type Finding, usePasted } from './use-pasted.ts';

const EXAMPLE = 'ffmpeg -i in.mov -c:v libx264 -crf 23 -c:a aac -movflags +faststart out.mp4';

interface PasteCommandProps {
  /** Called when the user chooses to use the command. */
  readonly onRequest: (request: ConversionRequest) => void;
  /** Called after each change of the text. */
  readonly onText?: (text: string) => void;
}

/** Converts an ffmpeg command line or the JSON of a request to a request. */
export function PasteCommand({ onRequest, onText }: PasteCommandProps) {
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState('');
  // Focus the text field, because the user has opened it to paste a command.
  useEffect(() => area.current?.focus(), []);
  const { request, mistakes, notes } = usePasted(text);
  const select = ({ from, to }: Finding) => {
    area.current?.focus();
    area.current?.setSelectionRange(from, to);
  };
  const write = (next: string): void => {
    setText(next);
    onText?.(next);
  };
  const replace = ({ from, to }: Finding, words: string): void => {
    write(text.slice(0, from) + words + text.slice(to));
    area.current?.focus();
  };
  return (
    <div className={styles.paste}>
      <label htmlFor={id}>Command line of ffmpeg, or a request as JSON</label>
      <textarea
        ref={area}
        id={id}
        rows={2}
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="off"
        placeholder={EXAMPLE}
        value={text}
        aria-invalid={mistakes.length > 0}
        aria-describedby={`${id}-found`}
        onChange={({ currentTarget }) => write(currentTarget.value)}
      />
      <div id={`${id}-found`} className={styles.found} aria-live="polite">
        {mistakes.length > 0 && (
          <Findings kind="mistake" text={text} findings={mistakes} onSelect={select} onReplace={replace} />
        )}
        {notes.length > 0 && (
          <Findings kind="note" text={text} findings={notes} onSelect={select} onReplace={replace} />
        )}
      </div>
      <div className={styles.actions}>
        <Button
          // What is wrong is mended first.
          variant={mistakes.length === 0 ? 'primary' : 'plain'}
          disabled={request === undefined || text.trim() === ''}
          onClick={() => request !== undefined && onRequest(request)}
        >
          {isJson(text) ? 'Use this request' : 'Use this command'}
        </Button>
        <p className={styles.hint}>The service only reads the command. Nothing runs it.</p>
      </div>
    </div>
  );
}

interface FindingsProps {
  readonly kind: 'mistake' | 'note';
  readonly text: string;
  readonly findings: readonly Finding[];
  readonly onSelect: (range: Finding) => void;
  readonly onReplace: (range: Finding, words: string) => void;
}

/** The findings in the text. Each has a button that selects its words in the text. */
function Findings({ kind, text, findings, onSelect, onReplace }: FindingsProps) {
  return (
    <ul className={styles[kind]} aria-label={kind === 'mistake' ? 'What cannot be converted' : 'What was left out'}>
      {findings.map((finding) => {
        const words = text.slice(finding.from, finding.to);
        const isNext = kind === 'mistake' && finding === findings.find(({ instead }) => instead !== undefined);
        return (
          <li key={`${finding.from} ${finding.message}`}>
            {words !== '' && (
              <button
                type="button"
                className={styles.words}
                title="Select it in the command"
                onClick={() => onSelect(finding)}
              >
                {words.length > 60 ? `${words.slice(0, 60)}…` : words}
              </button>
            )}
            {/* A button applies the fix. */}
            <span>
              <WithCode text={finding.message} />{' '}
              {finding.instead === undefined && finding.fix && <WithCode text={fixText(finding.fix)} />}
            </span>
            {finding.instead !== undefined && (
              <Button variant={isNext ? 'primary' : 'plain'} onClick={() => onReplace(finding, finding.instead ?? '')}>
                Use {finding.instead}
              </Button>
            )}
          </li>
        );
      })}
    </ul>
  );
}
