import { Link } from '@tanstack/react-router';
import styles from './next-step.module.css';
import type { SearchWords } from './search-words.ts';

interface Props {
  readonly hasSource: boolean;
  readonly hasRecipe: boolean;
  /** The words of the search. What to do with them is said beside "Convert". */
  readonly words: SearchWords;
  readonly hasStarted: boolean;
  readonly hasResult: boolean;
}

/** Says to a newcomer what to do next. */
export function NextStep({ hasSource, hasRecipe, words, hasStarted, hasResult }: Props) {
  const steps = [
    { name: 'Source', isDone: hasSource, text: 'Drop a file below, or choose a stored one.' },
    {
      name: 'What to do',
      isDone: hasRecipe,
      text:
        words.use !== undefined ? 'Press “Use …”.' : words.text === '' ? 'Write what to do, or choose a recipe.' : '',
    },
    {
      name: 'Convert',
      isDone: hasResult,
      text: hasStarted ? 'The result appears on this page.' : 'Press “Convert”.',
    },
  ];
  const next = steps.find(({ isDone }) => !isDone);
  return (
    <div className={styles.steps} role="group" aria-label="Next step">
      <ol>
        {steps.map((step) => (
          <li key={step.name} data-done={step.isDone} aria-current={step === next ? 'step' : undefined}>
            {step.name}
            {step.isDone && <span className="visually-hidden"> (done)</span>}
          </li>
        ))}
      </ol>
      <p role="status">
        {next?.text ?? (
          <>
            That is all. Drop a file of your own, or see all conversions in <Link to="/jobs">Jobs</Link>.
          </>
        )}
      </p>
    </div>
  );
}
