import type { OutputStream } from '@telecine/contract/domain/job.ts';
import type { ForeseenPass } from './finished-pass.ts';

type Streams = Pick<ForeseenPass, 'inputs' | 'used' | 'outputStreams'>;

/** Adds to each used stream its input stream (`from`) and output stream (`to`). `to` is undefined if a complex graph reads the stream. */
export const convertedStreams = ({ inputs, used, outputStreams }: Streams) =>
  used.map((one) => ({
    ...one,
    from: inputs[one.input]?.streams.find(({ index }) => index === one.stream),
    to: outputStreams.find(({ index }) => index === one.output),
  }));

/** Returns the encoded streams of one kind. Copied streams are excluded, because they have the properties of the input. */
export const encodedStreams = (pass: Streams, kind: OutputStream['type']) =>
  convertedStreams(pass).flatMap(({ from, to, copied }) =>
    copied || from?.type !== kind || to?.type !== kind ? [] : [{ from, to }],
  );

export const isCopied = ({ used }: Pick<Streams, 'used'>, index: number | undefined): boolean =>
  used.some(({ output, copied }) => copied && output === index);

export const ofKind = (streams: readonly OutputStream[], kind: OutputStream['type']): readonly OutputStream[] =>
  streams.filter(({ type }) => type === kind);

/** True if a stream is an attached image, such as the cover of a song. */
export const isCover = (stream: Pick<OutputStream, 'disposition'> | undefined): boolean =>
  stream?.disposition?.includes('attached_pic') === true;
