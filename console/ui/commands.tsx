import { useState } from 'react';
import { CodeBlock } from './code-block.tsx';
import { CommandWords } from './command-words.tsx';
import styles from './commands.module.css';
import { Segments } from './segments.tsx';

/** The ffmpeg commands of a conversion, one at a time: they differ in a few words. `passes`: how often the conversion reads its inputs. */
export function Commands({
  argv,
  passes,
  label,
}: {
  readonly argv: readonly (readonly string[])[];
  readonly passes: number;
  /** The name of the block for screen readers. */
  readonly label: string;
}) {
  const [chosen, setChosen] = useState(0);
  if (argv.length === 0) return null;
  // Another plan can have fewer commands.
  const index = Math.min(chosen, argv.length - 1);
  const name = passes === argv.length ? 'Pass' : 'Command';
  return (
    <div className={styles.commands}>
      {argv.length > 1 && (
        <Segments
          label={`${name} to show`}
          options={argv.map((_, value) => ({ value, name: `${name} ${value + 1}` }))}
          value={index}
          onChoose={setChosen}
        />
      )}
      <CodeBlock key={index} label={label}>
        <CommandWords argv={argv[index] ?? []} />
      </CodeBlock>
    </div>
  );
}
