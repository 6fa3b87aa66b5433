/**
 * Values of the option `preset` of encoders: of x264 and x265 by name, of NVENC by name and as `p1` to `p7`, of SVT-AV1 by
 * number. People send them as the name of a recipe, which is called `preset` too.
 */
const ENCODER_PRESET =
  /^(?:(?:ultra|super|very)?fast(?:er|est)?|medium|(?:very)?slow(?:er|est)?|placebo|p[1-7]|hq|hp|ll|llhq|llhp|lossless(?:hp)?|\d{1,2})$/i;

/** Whether a name is that of a preset of an encoder. */
export const isEncoderPreset = (name: string): boolean => ENCODER_PRESET.test(name.trim());
