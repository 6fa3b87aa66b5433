/** Where a job is shown, as a path of this service. */
export const jobPath = (id: string): string => `/api/conversion/${encodeURIComponent(id)}`;

/** Where a file is reached, as a path of this service. */
export const fileUrl = (of: string): string => `/api/files/${of.split('/').map(encodeURIComponent).join('/')}`;
