/** The databases cannot be moved. The message is for the operator. */
export class MoveRefused extends Error {
  override readonly name = 'MoveRefused';
}
