/**
 * The usual encodings of texts that are not UTF-8, by the languages that they are for: ISO 639 codes of two and three
 * letters, and English names. The names of the encodings are those of iconv.
 */
const ROWS: readonly (readonly [encoding: string, languages: string])[] = [
  [
    'WINDOWS-1252',
    'en eng english de ger deu german fr fre fra french es spa spanish it ita italian pt por portuguese nl dut nld dutch ' +
      'sv swe swedish da dan danish no nor nb nob norwegian fi fin finnish is ice isl icelandic ca cat catalan',
  ],
  [
    'WINDOWS-1250',
    'pl pol polish cs cze ces czech sk slo slk slovak hu hun hungarian ro rum ron romanian hr hrv croatian sl slv slovenian ' +
      'bs bos bosnian',
  ],
  [
    'WINDOWS-1251',
    'ru rus russian uk ukr ukrainian bg bul bulgarian sr srp serbian mk mac mkd macedonian be bel belarusian',
  ],
  ['WINDOWS-1253', 'el gre ell greek'],
  ['WINDOWS-1254', 'tr tur turkish az aze azerbaijani'],
  ['WINDOWS-1255', 'he heb hebrew iw'],
  ['WINDOWS-1256', 'ar ara arabic fa per fas persian farsi ur urd urdu'],
  ['WINDOWS-1257', 'lt lit lithuanian lv lav latvian et est estonian'],
  ['WINDOWS-1258', 'vi vie vietnamese'],
  ['SHIFT_JIS', 'ja jpn japanese'],
  ['GB18030', 'zh chi zho chs chinese'],
  ['BIG5', 'cht'],
  ['CP949', 'ko kor korean'],
  ['CP874', 'th tha thai'],
];

const ENCODINGS = new Map(ROWS.flatMap(([encoding, languages]) => languages.split(' ').map((one) => [one, encoding])));

/** The usual encoding of a language that is not UTF-8. Undefined if the language is unknown. */
export const encodingOfLanguage = (language: string): string | undefined => ENCODINGS.get(language.toLowerCase());

/** The language that the name of a file says: `tr` for `film.tr.srt`, `german` for `german.srt`. */
export const languageOfFileName = (path: string): string | undefined =>
  path
    .replace(/^.*\//, '')
    .replace(/\.\w{1,5}$/, '')
    .split(/[._ -]/)
    .findLast((word) => encodingOfLanguage(word) !== undefined);
