import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { AnalysisRequest } from '@telecine/client';
import { useState } from 'react';
import {
  allSettings,
  isComparison,
  MEASUREMENTS,
  type Measurement,
} from '../../packages/contract/src/domain/analysis.ts';
import { client } from '../app/client.ts';
import { Field } from '../ui/field.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import styles from './measure-dialog.module.css';
import { settingsOf } from './measure-settings.ts';

/** The default settings of each measurement. Many measurements have no settings. */
const DEFAULTS: Readonly<Record<string, object>> = allSettings({});

/** The measurements of one file. Comparisons need a second file. */
const CHOICES = MEASUREMENTS.filter((one) => !isComparison(one));

/** Starts an analysis of a file, and opens its job. */
export function MeasureDialog({ path, onClose }: { readonly path: string; readonly onClose: () => void }) {
  const navigate = useNavigate();
  const [chosen, setChosen] = useState<readonly Measurement[]>([]);
  const start = useMutation({
    mutationFn: (form: FormData) => {
      const settings = settingsOf(form) as AnalysisRequest['settings'];
      return client.analyze({ input: path, measure: [...chosen], ...(settings && { settings }) });
    },
    onSuccess: ({ jobId }) => navigate({ to: '/jobs/$jobId', params: { jobId } }),
  });
  const choose = (one: Measurement, isChosen: boolean): void =>
    setChosen(CHOICES.filter((name) => (name === one ? isChosen : chosen.includes(name))));
  return (
    <FormDialog
      title={`Measure ${path}`}
      action="Measure"
      isPending={start.isPending || chosen.length === 0}
      error={start.error}
      onSend={(form) => start.mutate(form)}
      onClose={onClose}
    >
      <fieldset className={styles.choices}>
        <legend>What to measure</legend>
        {CHOICES.map((one) => (
          <label key={one}>
            <input
              type="checkbox"
              checked={chosen.includes(one)}
              onChange={({ target }) => choose(one, target.checked)}
            />{' '}
            {one}
          </label>
        ))}
      </fieldset>
      {chosen.flatMap((one) =>
        Object.entries(DEFAULTS[one] ?? {}).map(([name, value]) => (
          <Field
            key={`${one}.${name}`}
            label={`${one}: ${name}`}
            name={`/settings/${one}/${name}`}
            type="number"
            step="any"
            placeholder={String(value)}
          />
        )),
      )}
    </FormDialog>
  );
}
