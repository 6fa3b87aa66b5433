import type { transcribe } from '../wire/conversion.ts';
import type { Shape } from '../wire/shape.ts';

/** The words of a text with single spaces between them. */
type WordsOf<Text extends string, Before extends string = never> = Text extends `${infer Word} ${infer Rest}`
  ? WordsOf<Rest, Before | Word>
  : Before | Text;

const wordsOf = <const Text extends string>(text: Text) => text.split(' ') as WordsOf<Text>[];

/** The allowed values of `language`: the codes of whisper.cpp. */
export const SPEECH_LANGUAGES = wordsOf(
  'auto en zh de es ru ko fr ja pt tr pl ca nl ar sv it id hi fi vi he uk el ms cs ro da hu ta no th ur hr bg lt la mi ml cy sk te fa lv bn sr az sl kn et mk br eu is hy ne mn bs kk sq sw gl mr pa si km sn yo so af oc ka be tg sd gu am yi lo uz fo ht ps tk nn mt sa lb my bo tl mg as tt haw ln ha ba jw su yue',
);

export type SpeechLanguage = (typeof SPEECH_LANGUAGES)[number];

/** Requests captions of the speech in the input. */
export type Transcription = Shape<typeof transcribe>;

export const isSpeechLanguage = (text: string): text is SpeechLanguage =>
  SPEECH_LANGUAGES.some((language) => language === text);

/** The ISO 639-2 code of each language, by its names and its two-letter code. */
export const LANGUAGE_CODES: ReadonlyMap<string, string> = new Map(
  (
    'english en eng|german de ger|deutsch de ger|french fr fre|spanish es spa|italian it ita|portuguese pt por|dutch nl dut|' +
    'russian ru rus|polish pl pol|czech cs cze|swedish sv swe|norwegian no nor|danish da dan|finnish fi fin|hungarian hu hun|' +
    'turkish tr tur|greek el gre|arabic ar ara|hebrew he heb|hindi hi hin|chinese zh chi|japanese ja jpn|korean ko kor|' +
    'ukrainian uk ukr|romanian ro rum|thai th tha|vietnamese vi vie|indonesian id ind|persian fa per'
  )
    .split('|')
    .flatMap((row) => {
      const [name = '', two = '', three = ''] = row.split(' ');
      return [
        [name, three],
        [two, three],
      ] as const;
    }),
);
