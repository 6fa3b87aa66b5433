import type { Failure } from '../../domain/failure.ts';
import { withAdvice } from '../../domain/hint.ts';
import type { Mount } from '../../domain/plan.ts';
import { readPinned } from '../sandbox/pinned-inputs.ts';
import {
  describeContent,
  describeRawFile,
  type FileContent,
  rawSoundAdvice,
  type SentForOutput,
} from './file-content.ts';

/** A file that ffmpeg or ffprobe could not read. */
export interface UnreadableFile {
  readonly mount: Mount;
  /** Its name in the argv, which the message has. */
  readonly logical: string;
  /** Its name for the client, whose extension tells what it may be. */
  readonly path: string;
  /** Options that the client sent for the output, if they describe this file. */
  readonly sent?: SentForOutput;
  /** What a text file is, if the request reads text. */
  readonly textIs?: FileContent;
}

/** How much of a file tells what it contains. */
const HEAD_BYTES = 512;

/** Whether a failure says that a file could not be read. */
export const isUnreadable = ({ code, about }: Failure): boolean =>
  code === 'INPUT_INVALID' || about?.isNotOpened === true;

/** Says what a file contains instead of media. Returns the failure as it is if that is not clear. */
export async function explainUnreadable(failure: Failure, file: UnreadableFile): Promise<Failure> {
  const { mount, logical, path, sent, textIs } = file;
  const head = await readPinned(mount, HEAD_BYTES).catch(() => undefined);
  const content = head && describeContent(head);
  const raw = describeRawFile(path, head, sent);
  // Raw sound that begins with silence begins with zeros.
  if (content !== undefined && !(content.what === 'filled with zeros' && raw !== undefined)) {
    const { what, fix } = (content.what === 'a text file' ? textIs : undefined) ?? content;
    return { ...failure, message: `The input ${logical} is not a media file: it is ${what}.`, fix };
  }
  if (raw !== undefined) return { ...failure, message: `The input ${logical} is ${raw.what}.`, fix: raw.fix };
  const advice = rawSoundAdvice(path, head);
  return advice === undefined ? failure : { ...failure, fix: withAdvice(failure.fix, advice) };
}
