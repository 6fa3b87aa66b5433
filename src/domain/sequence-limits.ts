/** The most frames of one sequence: almost seven minutes at 25 frames per second. */
export const MAX_FRAMES = 10_000;

/** How many numbers ffmpeg's image2 demuxer tries for the first frame (`start_number_range`). */
export const FIRST_NUMBERS = 5;
