import { Fragment } from 'react';
import { commandWords } from './command-text.ts';
import styles from './command-words.module.css';

/** What the service adds to each command, and how many words after it are its values. */
const OWN = new Map([
  ...['-nostdin', '-hide_banner', '-nostats'].map((flag) => [flag, 0] as const),
  ...'-loglevel -progress -stats_period -max_alloc -max_pixels -protocol_whitelist'
    .split(' ')
    .map((option) => [option, 1] as const),
]);

/** Where the parts of a long argument begin, such as the filters of a graph. */
const PART = /(?<=[,:;/])/;

/** An ffmpeg command. What the service adds is grey. Lines break only between arguments, because a break after the hyphen of an option would look like two arguments. An argument that is longer than a line breaks between its parts. */
export function CommandWords({ argv }: { readonly argv: readonly string[] }) {
  return commandWords(argv).map((word, index, words) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a word can be there twice, and has no state.
    <Fragment key={index}>
      {index > 0 && ' '}
      <span className={styles.word} data-own={OWN.has(word) || OWN.get(words[index - 1] ?? '') === 1}>
        {word.split(PART).map((part, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a part can be there twice, and has no state.
          <Fragment key={at}>
            {at > 0 && <wbr />}
            {part}
          </Fragment>
        ))}
      </span>
    </Fragment>
  ));
}
