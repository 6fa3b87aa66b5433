/** The format of an output at the start of a message, with the extension of its file if that is another word. */
export const formatText = ({ muxer, extension }: { readonly muxer: string; readonly extension: string }): string => {
  if (muxer === '') return 'The output format';
  return `The format ${muxer}${extension === '' || extension === muxer ? '' : ` (.${extension})`}`;
};
