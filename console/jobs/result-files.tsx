import type { Job } from '@telecine/client';
import { nameOf } from '../files/file-list.ts';
import { outputAddress } from '../media/media-address.ts';
import { formatBytes } from '../ui/format.ts';
import { OutputPicture } from './output-picture.tsx';
import styles from './result-files.module.css';

/** How many outputs are listed. The zip and the page of the job have the others. */
const FEW = 8;

/** The outputs of a job as a short list: picture, name, size and download of each. */
export function ResultFiles({ job }: { readonly job: Job }) {
  const { outputs = [], outputCount = outputs.length } = job;
  return (
    <ul className={styles.files} aria-label="Outputs of the job">
      {outputs.slice(0, FEW).map((output) => (
        <li key={output.path}>
          <OutputPicture job={job} output={output} />
          <span className={styles.name}>
            {output.path} <span className={styles.soft}>{formatBytes(output.sizeBytes)}</span>
          </span>
          <a
            href={outputAddress(job, output.path)?.()}
            download={nameOf(output.path)}
            aria-label={`Download ${output.path}`}
          >
            Download
          </a>
        </li>
      ))}
      {outputCount > FEW && <li>and {outputCount - FEW} more</li>}
    </ul>
  );
}
