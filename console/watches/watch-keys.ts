export const WATCHES_KEY = ['watches'] as const;

export const watchKey = (watchId: string) => ['watch', watchId] as const;

/** The key of all that is read about the files of a watch. */
export const watchedFilesKey = (watchId: string) => ['watched-files', watchId] as const;
