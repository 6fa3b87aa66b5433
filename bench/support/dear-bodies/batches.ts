import { REQUEST_LIMITS } from '../../../packages/contract/src/domain/conversion.ts';
import { type DearBody, filled, listOf, objectOf } from './dear-body.ts';

const { batch: MOST, outputs } = REQUEST_LIMITS;

const batch = (name: string, requests: readonly object[]): DearBody => ({
  name,
  method: 'POST',
  path: '/api/conversions?dryRun=true',
  body: JSON.stringify({ requests }),
});

const manyOutputs = listOf(outputs, (index) => ({ output: `${index}.mp4` }));

/** The most expensive bodies of `POST /api/conversions`. */
export const batchBodies = (): readonly DearBody[] => [
  batch(
    'a batch of wrong filters',
    listOf(MOST, (index) => ({
      input: 'in.mp4',
      output: `${index}.mp4`,
      parameters: { vf: filled('1:', 9000, 'scale=') },
    })),
  ),
  batch(
    'a batch of filters for 20 outputs each',
    listOf(MOST, () => ({
      input: 'in.mp4',
      outputs: manyOutputs,
      parameters: { vf: filled('hflip,', 9000).slice(0, -1) },
    })),
  ),
  batch(
    'a batch of unknown options for 20 outputs each',
    listOf(MOST, () => ({
      input: 'in.mp4',
      outputs: manyOutputs,
      parameters: objectOf(
        40,
        (index) => `unknown${index}`,
        () => '',
      ),
    })),
  ),
  batch(
    'a batch in which each waits for all before it',
    listOf(MOST, (index) => ({
      name: `request ${index}`,
      after: listOf(index, (other) => `request ${other}`),
      input: `${index}.mp4`,
      output: `${index + 1}.mp4`,
    })),
  ),
  batch(
    'a batch in the opposite order',
    listOf(MOST, (index) => ({
      name: `request ${index}`,
      after: index === MOST - 1 ? [] : [`request ${index + 1}`],
      input: `${index + 1}.mp4`,
      output: `${index}.mp4`,
    })),
  ),
  batch(
    'a batch of unknown names',
    listOf(MOST, (index) => ({
      name: `request ${index}`,
      after: listOf(30, (other) => `${'n'.repeat(60)}${other}`),
      input: 'in.mp4',
      output: `${index}.mp4`,
    })),
  ),
  {
    ...batch(
      'a batch that is stored',
      listOf(MOST, (index) => ({
        input: 'missing.mp4',
        output: `${index}.mp4`,
        parameters: { y: '', vf: filled('hflip,', 9000).slice(0, -1) },
      })),
    ),
    path: '/api/conversions',
  },
];
