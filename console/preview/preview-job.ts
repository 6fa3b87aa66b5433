import type { Job } from '@telecine/client';

/** The folder of the client's media root in which previews are until they expire. */
export const PREVIEW_FOLDER = 'console-previews';

/** Whether a path is that folder or in it. */
export const isPreviewPath = (path: string): boolean =>
  path === PREVIEW_FOLDER || path.startsWith(`${PREVIEW_FOLDER}/`);

/** Whether a job was started by a preview of the workbench: it writes to the folder of previews, or measures a file in it. */
export const isPreviewJob = ({ output, input, analysis }: Pick<Job, 'output' | 'input' | 'analysis'>): boolean =>
  isPreviewPath(output ?? '') || (analysis !== undefined && typeof input === 'string' && isPreviewPath(input));
