import { useMutation, useQuery } from '@tanstack/react-query';
import { ClientError } from '@telecine/client';
import { useId, useState } from 'react';
import { client } from '../app/client.ts';
import { clockText } from '../trim/trim-time.ts';
import { Button } from '../ui/button.tsx';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import { nextPath } from '../uploads/upload-item.ts';
import styles from './cue-list.module.css';
import { parseCues, shiftCues, shiftedPath } from './cues.ts';

/** The largest file whose cues are listed, in bytes: subtitles of a long film have a tenth of it. */
const MAX_BYTES = 2_000_000;
/** The maximum number of listed cues. */
const MAX_ROWS = 300;
/** The largest shift in seconds. */
const MAX_SHIFT = 36_000;

interface Props {
  /** The path of a SubRip or WebVTT file in the media root. */
  readonly path: string;
  readonly mayStore: boolean;
  /** Called with the path of a shifted copy. */
  readonly onShifted: (path: string) => void;
}

/** The cues of a subtitle file. The user can store a copy in which all are shifted. */
export function CueList({ path, mayStore, onShifted }: Props) {
  const id = useId();
  const [shift, setShift] = useState('0');
  const file = useQuery({
    queryKey: ['cues', path],
    queryFn: ({ signal }) => readText(path, signal),
    staleTime: 60_000,
  });
  const seconds = Number(shift);
  const isShift = shift.trim() !== '' && Math.abs(seconds) <= MAX_SHIFT;
  const store = useMutation({
    mutationFn: (text: string) => storeCopy(text, shiftedPath(path, seconds)),
    onSuccess: (to) => {
      setShift('0');
      onShifted(to);
    },
  });
  if (file.error !== null) return <ProblemNotice error={file.error} />;
  if (file.data === undefined) return null;
  const cues = parseCues(file.data);
  if (cues.length === 0) return null;
  const by = isShift ? seconds : 0;
  return (
    <div className={styles.cues}>
      <details>
        <summary>{cues.length === 1 ? '1 cue' : `${cues.length} cues`}</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it. */}
        <div role="group" aria-label="Cues" tabIndex={0} className={styles.rows}>
          <ol>
            {cues.slice(0, MAX_ROWS).map(({ start, end, text }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the cues of a file have an order, and can be equal.
              <li key={index} data-out={end + by <= 0}>
                <span className={styles.time}>{clockText(Math.max(0, start + by))}</span>
                <span>{text}</span>
              </li>
            ))}
          </ol>
        </div>
        {cues.length > MAX_ROWS && <p className={styles.time}>and {cues.length - MAX_ROWS} more</p>}
      </details>
      {mayStore && (
        <div className={styles.shift}>
          <label htmlFor={id}>Shift by seconds</label>
          <input
            id={id}
            type="number"
            step={0.1}
            min={-MAX_SHIFT}
            max={MAX_SHIFT}
            value={shift}
            onChange={({ currentTarget }) => setShift(currentTarget.value)}
          />
          <Button
            disabled={!isShift || seconds === 0 || store.isPending}
            onClick={() => store.mutate(shiftCues(file.data, seconds))}
          >
            Use a shifted copy
          </Button>
        </div>
      )}
      {store.error !== null && <ProblemNotice error={store.error} />}
    </div>
  );
}

async function readText(path: string, signal: AbortSignal): Promise<string> {
  const reply = await client.readFile(path, { range: { start: 0, end: MAX_BYTES - 1 }, signal });
  const size = Number(/\/(\d+)$/.exec(reply.headers.get('content-range') ?? '')?.[1] ?? 0);
  if (size > MAX_BYTES)
    throw new Error(`The file is larger than ${MAX_BYTES / 1_000_000} MB, so its cues are not listed.`);
  const bytes = await reply.arrayBuffer();
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // Old subtitle files are often in this encoding. A shifted copy is in UTF-8.
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** The number of names to try for a copy. */
const NAMES = 20;

/** Stores a file under a free name. Returns its path. */
async function storeCopy(text: string, first: string): Promise<string> {
  let path = first;
  for (let attempt = 1; ; attempt++) {
    try {
      await client.upload(new Blob([text], { type: 'text/plain' }), path);
      return path;
    } catch (error) {
      if (!(error instanceof ClientError) || error.status !== 412 || attempt === NAMES) throw error;
      path = nextPath(path);
    }
  }
}
