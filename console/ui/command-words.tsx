import { Fragment } from 'react';
import { commandWords } from './command-text.ts';
import styles from './command-words.module.css';

/** A command of ffmpeg, which lines break between words only: after the hyphen of an option, nobody would know it. */
export function CommandWords({ argv }: { readonly argv: readonly string[] }) {
  return commandWords(argv).map((word, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a word can be there twice, and has no state.
    <Fragment key={index}>
      {index > 0 && ' '}
      <span className={styles.word}>{word}</span>
    </Fragment>
  ));
}
