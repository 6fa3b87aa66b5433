import type { ConversionRequest, FieldError } from '@telecine/client';
import { useEffect, useId, useMemo, useRef, useState } from 'react';
import { placeOf } from '../../packages/contract/src/domain/ffmpeg-command.ts';
import type { TextFinding, TextRange } from '../../packages/contract/src/domain/shell-text.ts';
import { Button } from '../ui/button.tsx';
import { fixText } from '../ui/fix-text.ts';
import { WithCode } from '../ui/with-code.tsx';
import styles from './paste-command.module.css';
import { isJson, readPasted } from './pasted-text.ts';
import { proposedWords } from './proposed-words.ts';

const EXAMPLE = 'ffmpeg -i in.mov -c:v libx264 -crf 23 -c:a aac -movflags +faststart out.mp4';

interface PasteCommandProps {
  /** Called when the user chooses to use the command. */
  readonly onRequest: (request: ConversionRequest) => void;
  /** Called after each change of the text, so that a dry run can check the request. undefined: the text is not a request. */
  readonly onChange?: (request: ConversionRequest | undefined) => void;
  /** Called after each change of the text. */
  readonly onText?: (text: string) => void;
  /** The errors of the dry run for the last request of `onChange`. They are shown at the words that they concern. */
  readonly errors?: readonly FieldError[];
}

/** Converts an ffmpeg command line or the JSON of a request to a request, in the browser. The service never gets the text. */
export function PasteCommand({ onRequest, onChange, onText, errors = [] }: PasteCommandProps) {
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState('');
  // Focus the text field, because the user has opened it to paste a command.
  useEffect(() => area.current?.focus(), []);
  const command = useMemo(() => readPasted(text), [text]);
  const { request, notes } = command;
  const rejected =
    request === undefined ? [] : errors.map((error) => atWords(error, placeOf(command, error.field), text));
  const mistakes = text.trim() === '' ? [] : [...command.errors, ...rejected];
  const select = ({ from, to }: TextRange) => {
    area.current?.focus();
    area.current?.setSelectionRange(from, to);
  };
  const write = (next: string): void => {
    setText(next);
    onText?.(next);
    onChange?.(readPasted(next).request as ConversionRequest | undefined);
  };
  const replace = ({ from, to }: TextRange, words: string): void => {
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
          onClick={() => request !== undefined && onRequest(request as ConversionRequest)}
        >
          {isJson(text) ? 'Use this request' : 'Use this command'}
        </Button>
        <p className={styles.hint}>The page only reads the text. No shell runs it.</p>
      </div>
    </div>
  );
}

/** A finding, with the words that the service proposes in place of those of the user. */
interface Finding extends TextFinding {
  readonly instead?: string;
}

/** Converts an error of the service to a finding in the text. Without a place, it concerns the whole command. */
function atWords({ message, fix, apply = [] }: FieldError, place: TextRange | undefined, text: string): Finding {
  const instead = place && proposedWords(text.slice(place.from, place.to), apply);
  return {
    ...(place ?? { from: 0, to: 0 }),
    message,
    ...(fix !== undefined && { fix }),
    ...(instead !== undefined && { instead }),
  };
}

interface FindingsProps {
  readonly kind: 'mistake' | 'note';
  readonly text: string;
  readonly findings: readonly Finding[];
  readonly onSelect: (range: TextRange) => void;
  readonly onReplace: (range: TextRange, words: string) => void;
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
