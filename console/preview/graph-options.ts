/** Whether an option holds the filters of one video, as a chain without labels for its ends. So filters can be put before and after them. */
export const isSimpleGraph = (name: string): boolean => /^(?:vf|filter|filter:v(?::0)?)$/.test(name);

/** Whether an option holds filters of a video. */
export const isVideoGraph = (name: string): boolean => isSimpleGraph(name) || /^(?:filter_complex|lavfi)$/.test(name);
