/** The commands of the command line that the console shows. A test runs each of them. */
export const COMMANDS = {
  convert: 'telecine convert in.mov out.mp4',
  addClient: 'telecine client add NAME',
  doctor: 'telecine doctor',
  serve: 'telecine serve',
  worker: 'telecine worker',
} as const;
