import { exportRequest } from '../../workbench/export-request.ts';

/** A command that gets a token and submits a first job. The picture keeps its shape, and its width is even, as the encoder needs it. */
export const firstJobCommand = (url: string, clientId: string): string =>
  exportRequest(
    'curl',
    { input: 'in.mp4', output: 'small/out.mp4', parameters: { 'c:v': 'libx264', vf: 'scale=-2:240' } },
    { url, clientId },
  );
