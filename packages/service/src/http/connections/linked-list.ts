/** The place of a member in one list. A member keeps one node for each list that it can be in. */
export interface ListNode<T> {
  readonly member: T;
  isLinked: boolean;
  before: ListNode<T> | undefined;
  after: ListNode<T> | undefined;
}

export const nodeOf = <T>(member: T): ListNode<T> => ({ member, isLinked: false, before: undefined, after: undefined });

/**
 * A list of members in the order in which they were added. A change takes constant time and allocates no memory. (A
 * `Set` would create a new table after every few dozen changes, and V8 frees old tables only in a full collection.)
 */
export function linkedList<T>() {
  let first: ListNode<T> | undefined;
  let last: ListNode<T> | undefined;
  let size = 0;
  return {
    get size(): number {
      return size;
    },
    get first(): T | undefined {
      return first?.member;
    },
    /** Adds a node at the end. Does nothing if the node is already in the list. */
    append(node: ListNode<T>): void {
      if (node.isLinked) return;
      node.isLinked = true;
      node.before = last;
      if (last === undefined) first = node;
      else last.after = node;
      last = node;
      size++;
    },
    /** Removes a node. Does nothing if the node is not in the list. */
    remove(node: ListNode<T>): void {
      if (!node.isLinked) return;
      const { before, after } = node;
      if (before === undefined) first = after;
      else before.after = after;
      if (after === undefined) last = before;
      else after.before = before;
      node.isLinked = false;
      node.before = undefined;
      node.after = undefined;
      size--;
    },
  };
}
