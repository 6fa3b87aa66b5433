import { leaveOut } from '../edit.ts';
import { type EditsWithAction, PROBE_FILE } from '../hint.ts';
import { bareWord, sameMeaning } from './value-words.ts';

/** Option names that mean fields of the request. */
const OPTION_FIELDS: ReadonlyMap<string, 'input' | 'output' | 'format'> = new Map([
  ...sameMeaning('input inputfile infile source src in inputpath', 'input' as const),
  ...sameMeaning('output outputfile outfile destination dst out outputpath filename', 'output' as const),
  ...sameMeaning(
    'format container outputformat filetype fileformat extension ext containerformat muxer recodevideo remuxvideo mergeoutputformat',
    'format' as const,
  ),
]);

/** The request field that an option name means. */
export const fieldOfOption = (name: string): 'input' | 'output' | 'format' | undefined =>
  OPTION_FIELDS.get(bareWord(name));

const PROBE_OPTIONS =
  /^(?:printformat|show(?:streams?|format|entries|packets|frames|chapters|programs|data|error|versions|pixelformats|private)|selectstreams|count(?:frames|packets)|readintervals|sexagesimal|pretty|ffprobe)$/;

export const isProbeOption = (name: string): boolean => PROBE_OPTIONS.test(bareWord(name));

/** The fix for an option of ffprobe in a probe request. */
export const PROBED_ANYWAY = leaveOut(undefined, 'a probe always shows the container and all streams');

/** The fix for an option of ffprobe in a conversion request. */
export const OF_FFPROBE: EditsWithAction = {
  ...leaveOut(undefined, 'it is an option of ffprobe'),
  note: 'For what is in a file:',
  action: PROBE_FILE,
};

/** Whether a parameter of a probe is an option of ffprobe. In a conversion, some of these names are other options. */
export const isOptionOfProbe = (name: string): boolean =>
  isProbeOption(name) || /^-?(?:of|v|loglevel|hide_banner|i)$/.test(name);

/** The words of other services for fields of a request. Each word has the name of the field. */
const FIELDS: ReadonlyMap<string, string> = new Map([
  ...sameMeaning(
    'src source in infile inputfile inputpath file url uri media sourcefile sourceurl inputurl path from filepath videopath audiopath fileinput sourcepath ' +
      'publicid mediapath imagepath inputvideopath inputaudiopath videofile audiofile videourl mediaurl',
    'input',
  ),
  ...sameMeaning(
    'sources srcs files inputfiles inputpaths media filepaths videopaths filelist videolist videofiles videos clips inputvideos',
    'inputs',
  ),
  ...sameMeaning(
    'dst dest destination out outfile outputfile outputpath target targetfile to outputname filename outputvideo outputvideopath outputaudiopath outputfilename outputurl',
    'output',
  ),
  ...sameMeaning('outputs outfiles outputfiles outputpaths destinations targets renditions', 'outputs'),
  ...sameMeaning('container outputformat filetype type extension ext muxer targetformat', 'format'),
  ...sameMeaning(
    'params param options option opts args arguments ffmpegoptions ffmpegargs ffmpegparams settings flags config ' +
      'outputoptions parameter encoding',
    'parameters',
  ),
  ...sameMeaning('model llm agent modelid modelname llmname', 'llmId'),
  ...sameMeaning('transcription transcript speechtotext stt asr whisper autocaptions', 'transcribe'),
  ...sameMeaning('dependson depends dependencies waitfor requires runafter afterjobs', 'after'),
  ...sameMeaning('length seconds time', 'duration'),
  ...sameMeaning('fade transition xfade', 'crossfade'),
]);

/**
 * Words for fields of bodies other than a conversion request, such as a query for jobs. In a conversion request, they mean other fields.
 */
const OTHER_FIELDS: readonly (readonly [word: string, field: string])[] = [
  ...sameMeaning('path file url uri name key filename', 'output'),
  ...sameMeaning('file filename filepath name key destination output target', 'path'),
  ...sameMeaning('id job task taskid conversion conversionid runid', 'jobId'),
  ...sameMeaning('state states statuses jobstatus phase', 'status'),
  ...sameMeaning('batch batchname album', 'batchId'),
  ...sameMeaning('timeout seconds maxseconds wait waitseconds timeoutms', 'timeoutSeconds'),
  ...sameMeaning('time times timestamp timestamps position seconds second offset', 'at'),
  ...sameMeaning('q text search words description task', 'query'),
  ...sameMeaning('id key ref requestid recipe preset', 'name'),
  ...sameMeaning('threshold thresholddb noise noisethreshold noiselevel silencethreshold db level leveldb', 'noiseDb'),
  ...sameMeaning(
    'duration d minduration minlength length mindurationseconds minsilence minimumduration silenceduration',
    'minSeconds',
  ),
  ...sameMeaning('picth pictureblackratioth pictureratio ratio', 'share'),
  ...sameMeaning('pixth pixelblackth luminance', 'pixel'),
  ...sameMeaning('jobs items conversions tasks batch list', 'requests'),
  ...sameMeaning(
    'measurements measurement measures metrics metric analysis analyses analyze analyse checks detect',
    'measure',
  ),
  ...sameMeaning('path folder dir directory root', 'prefix'),
  ...sameMeaning(
    'expires expiresin expiresinseconds expiresafter expiresafterseconds expiry ttl ttlseconds lifetime validfor',
    'seconds',
  ),
  ...sameMeaning('maxsize sizelimit limit size maxfilesize', 'maxBytes'),
  ...sameMeaning(
    'maxsize sizelimit limit size maxfilesize filesize targetsize sizemb targetsizemb maxsizemb mb',
    'megabytes',
  ),
  ...sameMeaning('resolution size maxheight lines dimensions videosize', 'height'),
  ...sameMeaning('lang locale audiolanguage', 'language'),
  ...sameMeaning('overwrite', 'replace'),
  ...sameMeaning('search find keyword keywords category', 'query'),
  ...sameMeaning('of name file filename target id folder files inputs paths', 'input'),
  ...sameMeaning('duration length', 't'),
  ...sameMeaning('start from seek offset', 'ss'),
  ...sameMeaning('maxresults maxitems maxcount pagesize perpage', 'limit'),
  ...sameMeaning('nexttoken pagetoken continuationtoken', 'cursor'),
  ...sameMeaning('uri url keyurl keyaddress keyserver keypath', 'keyUri'),
  ...sameMeaning('cols columncount ncols', 'columns'),
  ...sameMeaning('rowcount nrows', 'rows'),
  ...sameMeaning('original source compareto against', 'reference'),
  ...sameMeaning('reference ref source before compareto against', 'original'),
  ...sameMeaning(
    'expires expiresin expiry expiration ttl lifetime deleteafter retention retainfor',
    'expiresAfterSeconds',
  ),
  ...sameMeaning('from begin ss in starttime startseconds startat', 'start'),
  ...sameMeaning('to until stop finish out endtime endseconds endat', 'end'),
  ...sameMeaning('delete drop exclude skip discard cutout removed', 'remove'),
  ...sameMeaning('include select only kept', 'keep'),
];

const UNITS = ['seconds', 'bytes', 'db'] as const;

/** The field that a client means by an unknown field. undefined: it is not in `known`. */
export function meantField(key: string, known: readonly string[]): string | undefined {
  const bare = bareWord(key);
  const others = OTHER_FIELDS.flatMap(([word, field]) => (word === bare ? [field] : []));
  const withUnit = known.find((name) => UNITS.some((unit) => bareWord(name) === `${bare}${unit}`));
  // In "settings", each field has the name of its measurement, so a word for a measurement means the field.
  const measurement = known.includes('silence') ? meantChoice(key, known) : undefined;
  const fields = [FIELDS.get(bare), known.find((name) => bareWord(name) === bare), ...others, withUnit, measurement];
  return fields.find((field) => field !== undefined && known.includes(field));
}

/** Words for the values of fields with a few allowed values. */
const CHOICES: readonly (readonly [word: string, choice: string])[] = [
  // Words for measurements, including names of ffmpeg filters.
  ...sameMeaning('lufs ebur128 r128 truepeak integrated integratedloudness loudnorm lra', 'loudness'),
  ...sameMeaning('volumedetect rms peak maxvolume meanvolume gain', 'volume'),
  ...sameMeaning('silencedetect silences quiet pauses', 'silence'),
  ...sameMeaning('blackdetect blackframe blackframes', 'black'),
  ...sameMeaning('freezedetect frozen freezes still', 'freeze'),
  ...sameMeaning('scene scenechange scenechanges scenedetect scdet shots cuts', 'scenes'),
  ...sameMeaning('cropdetect borders blackbars letterbox', 'crop'),
  ...sameMeaning('idet interlaced interlace fieldorder', 'interlacing'),
  ...sameMeaning('duplicate duplicateframes dups mpdecimate', 'duplicates'),
  ...sameMeaning('rate bitrates bits', 'bitrate'),
  ...sameMeaning('similarity structuralsimilarity', 'ssim'),
  ...sameMeaning('gop iframes keyframe gopsize', 'keyframes'),
  // Words for views of a preview.
  ...sameMeaning('thumbnail thumb screenshot snapshot still poster image picture single', 'frame'),
  ...sameMeaning('thumbnails contactsheet grid montage mosaic storyboard tiles sprite overview', 'sheet'),
  ...sameMeaning('sidebyside comparison diff beforeafter versus', 'compare'),
  ...sameMeaning('wave audio sound waves showwavespic', 'waveform'),
  ...sameMeaning('spectrum frequencies showspectrumpic', 'spectrogram'),
  // Words for the status of a job.
  ...sameMeaning('done complete finished success succeeded ready ok', 'COMPLETED'),
  ...sameMeaning('error errored failure', 'FAILED'),
  ...sameMeaning('running active inprogress progressing started converting', 'PROCESSING'),
  ...sameMeaning('queued waiting new scheduled', 'PENDING'),
  ...sameMeaning('canceled aborted stopped killed', 'CANCELLED'),
  // Words for the ways to join inputs.
  ...sameMeaning('concat concatenate merge append reencode transcode filter crossfade', 'encode'),
  ...sameMeaning('demuxer remux stream streamcopy lossless fast', 'copy'),
  // Words for kinds of capabilities, and for the use of a codec or format.
  ...sameMeaning('encoder encoders decoder decoders', 'codecs'),
  ...sameMeaning('muxer muxers demuxer demuxers container containers extension extensions', 'formats'),
  ...sameMeaning('encode write mux encoding', 'output'),
  ...sameMeaning('decode read demux decoding', 'input'),
];

/** The choice that a client means by a word. undefined: no meaning is in `allowed`. */
export function meantChoice(word: string, allowed: readonly string[]): string | undefined {
  const bare = bareWord(word);
  const isChoice = ([one, choice]: (typeof CHOICES)[number]): boolean => one === bare && allowed.includes(choice);
  return CHOICES.find(isChoice)?.[1];
}
