import type { ReactNode } from 'react';
import { CodeBlock } from './code-block.tsx';
import { CopyButton } from './copy-button.tsx';
import styles from './folded-command.module.css';

interface Props {
  readonly summary: string;
  /** The name of the block for screen readers. */
  readonly label: string;
  readonly command: string;
  readonly copyLabel?: string;
  /** What is said above the command. */
  readonly intro?: ReactNode;
  /** What is said about the command, below it. */
  readonly children?: ReactNode;
}

/** A command that is folded, with a button that copies it. */
export const FoldedCommand = ({ summary, label, command, copyLabel = 'Copy the command', intro, children }: Props) => (
  <details>
    <summary className={styles.summary}>{summary}</summary>
    <div className={styles.command}>
      {intro}
      <CodeBlock label={label}>{command}</CodeBlock>
      <CopyButton text={command} label={copyLabel} />
      {children}
    </div>
  </details>
);
