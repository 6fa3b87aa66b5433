import { type ComponentProps, type ReactNode, useId } from 'react';
import styles from './field.module.css';
import { FieldErrors, useFieldErrors } from './field-errors.tsx';

interface Labelled {
  readonly label: string;
}

/** A labelled text field. In a form dialog, it shows its errors below. */
export const Field = ({ label, ...props }: ComponentProps<'input'> & Labelled) => (
  <WithErrors label={label} name={props.name}>
    {({ isWrong, ...aria }) => <input {...props} {...aria} aria-invalid={isWrong || props['aria-invalid']} />}
  </WithErrors>
);

/** A labelled field for a text of several lines, with its errors below. */
export const TextAreaField = ({ label, ...props }: ComponentProps<'textarea'> & Labelled) => (
  <WithErrors label={label} name={props.name}>
    {({ isWrong, ...aria }) => <textarea {...props} {...aria} aria-invalid={isWrong || undefined} />}
  </WithErrors>
);

interface ControlProps {
  readonly isWrong: boolean;
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
}

/** A control between its label and its errors. */
function WithErrors({
  label,
  name,
  children,
}: Labelled & { readonly name: string | undefined; readonly children: (control: ControlProps) => ReactNode }) {
  const id = useId();
  const errors = useFieldErrors(name);
  const isWrong = errors.length > 0;
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      {children({ isWrong, id, 'aria-describedby': isWrong ? `${id}-error` : undefined })}
      <FieldErrors id={`${id}-error`} name={name} errors={errors} />
    </div>
  );
}
