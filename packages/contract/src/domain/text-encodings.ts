/**
 * The usual encoding of texts in each language that are not UTF-8. Encodings have their names in iconv. Languages are ISO 639 codes and
 * English names.
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

/** The usual encoding for texts in a language that are not UTF-8. undefined: the language is unknown. */
export const encodingOfLanguage = (language: string): string | undefined => ENCODINGS.get(language.toLowerCase());

/** The language in the name of a file: `tr` for `film.tr.srt`, `german` for `german.srt`. */
export const languageOfFileName = (path: string): string | undefined =>
  path
    .replace(/^.*\//, '')
    .replace(/\.\w{1,5}$/, '')
    .split(/[._ -]/)
    .findLast((word) => encodingOfLanguage(word) !== undefined);

/** Names of encodings that iconv does not know, with the names that iconv knows. */
const OTHER_NAMES: readonly (readonly [shape: RegExp, meant: string])[] = [
  // Windows calls the encoding of its region "ANSI". It is usually the encoding of western Europe.
  [/^(?:ansi|western(?:[-_ ]?europe(?:an)?)?)$/i, 'CP1252'],
  [/^(?:(?:windows|win|ansi|cp)[-_ ]?)?(125[0-8])$/i, 'CP$1'],
  [/^utf[-_]?8[-_ ](?:bom|sig)$/i, 'UTF-8'],
  [/^latin[-_ ]?1?$/i, 'LATIN1'],
  [/^iso[-_ ]?8859[_ ](\d{1,2})$/i, 'ISO-8859-$1'],
  [/^mac[-_ ]?roman$/i, 'MACINTOSH'],
];

/** Names that iconv knows although they match a pattern above. */
const KNOWN = /^(?:cp\d+|windows-\d+|latin1)$/i;

/** The iconv name for an encoding name that iconv does not know. undefined: iconv knows the name, or the name has no meaning. */
export function iconvName(name: string): string | undefined {
  if (KNOWN.test(name)) return undefined;
  const [shape, meant] = OTHER_NAMES.find(([one]) => one.test(name)) ?? [];
  return shape && meant && name.replace(shape, meant);
}
