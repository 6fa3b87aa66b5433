import { Link } from '@tanstack/react-router';
import styles from './next-step.module.css';

interface Props {
  readonly hasSource: boolean;
  readonly hasRecipe: boolean;
  readonly hasStarted: boolean;
}

/** Says to a newcomer what to do next. */
export function NextStep({ hasSource, hasRecipe, hasStarted }: Props) {
  const steps = [
    { name: 'Source', isDone: hasSource, text: 'Drop a file below, or choose a stored one.' },
    {
      name: 'What to do',
      isDone: hasRecipe,
      text: 'Choose the first recipe: its values come from the words. Or write other words.',
    },
    { name: 'Convert', isDone: hasStarted, text: 'Press “Convert”. The result appears beside it.' },
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
