import type { Job } from '@telecine/client';

/** The folder of previews in the client's media root. The service deletes previews when they expire. */
export const PREVIEW_FOLDER = 'console-previews';

export const isPreviewPath = (path: string): boolean =>
  path === PREVIEW_FOLDER || path.startsWith(`${PREVIEW_FOLDER}/`);

/** Whether a preview of the workbench has started a job: the job writes to the folder of previews, or measures a file there. */
export const isPreviewJob = ({ output, input, analysis }: Pick<Job, 'output' | 'input' | 'analysis'>): boolean =>
  isPreviewPath(output ?? '') || (analysis !== undefined && typeof input === 'string' && isPreviewPath(input));
