import { Fragment } from 'react';
import { commandWords } from './command-text.ts';
import styles from './command-words.module.css';

/** An ffmpeg command. Lines break only between arguments, because a break after the hyphen of an option would look like two arguments. */
export function CommandWords({ argv }: { readonly argv: readonly string[] }) {
  return commandWords(argv).map((word, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a word can be there twice, and has no state.
    <Fragment key={index}>
      {index > 0 && ' '}
      <span className={styles.word}>{word}</span>
    </Fragment>
  ));
}
