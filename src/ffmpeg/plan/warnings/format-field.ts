/** What names the format of an output: its extension, the field `format`, or the option `f`. */
export type FormatField = '/output' | '/format' | '/parameters/f';
