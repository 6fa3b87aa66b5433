import type { MediaInfo, MediaStream, Tags } from '@telecine/contract/domain/media-info.ts';

/** Properties of streams that a model does not need to choose options. */
const OMITTED =
  /^(?:codecDescription|codecTag|level|id|startSeconds|frameCount|timeBase|codedWidth|codedHeight|frameRateExact|chromaLocation|sampleFormat)$/;

/** The usual values of properties, which are not shown. */
const USUAL: Readonly<Record<string, unknown>> = {
  sampleAspectRatio: '1:1',
  fieldOrder: 'progressive',
  bitDepth: 8,
  isAttachedPicture: false,
  colorRange: 'tv',
};

/** Tags that muxers write by themselves. */
const TECHNICAL_TAGS =
  /^(?:major_brand|minor_version|compatible_brands|handler_name|vendor_id|language|title|encoder|DURATION|BPS|NUMBER_OF_|_STATISTICS)/;

/** Returns the facts of a probe that matter for a conversion. (`POST /api/probe` returns all.) */
export const probeSummary = ({ format, streams, chapters, leftOut }: MediaInfo): object => {
  const { description: _, score: __, startSeconds: ___, isEmpty, tags, ...container } = format;
  return {
    format: { ...container, ...tagsOf(tags, /^(?:major_brand|minor_version|compatible_brands)$/) },
    streams: streams.map(streamOf),
    ...(chapters.length > 0 && { chapters: chapters.map(({ tags: _tags, ...chapter }) => chapter) }),
    ...(leftOut && { leftOut }),
    ...(isEmpty && { warning: 'The file ends after its header: it has no video and no audio.' }),
  };
};

function streamOf(stream: MediaStream): object {
  const { tags, disposition, displayAspectRatio, baseFrameRate, durationSeconds: _, ...rest } = stream;
  const shown = Object.entries(rest).filter(([name, value]) => !OMITTED.test(name) && USUAL[name] !== value);
  const isSquare = stream.sampleAspectRatio === undefined || stream.sampleAspectRatio === '1:1';
  const isConstant = baseFrameRate === undefined || baseFrameRate === stream.frameRate;
  return {
    ...Object.fromEntries(shown),
    ...(!isSquare && { displayAspectRatio }),
    ...(!isConstant && { baseFrameRate }),
    ...(disposition.length > 0 && { disposition }),
    ...tagsOf(tags, TECHNICAL_TAGS),
  };
}

function tagsOf(tags: Tags, omitted: RegExp): { readonly tags?: Tags } {
  const shown = Object.entries(tags).filter(([name]) => !omitted.test(name));
  return shown.length === 0 ? {} : { tags: Object.fromEntries(shown) };
}
