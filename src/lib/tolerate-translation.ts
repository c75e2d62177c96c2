/**
 * Browsers' translators replace the text nodes of a page by elements of their own. When React removes such a node, or inserts something
 * before it, the browser throws because the node has no parent any more, and the error page replaces everything, unsaved input included.
 * After this call, removing such a node does nothing, and what is inserted before it goes to the end.
 */
export function tolerateTranslation(): void {
  const { removeChild, insertBefore } = Node.prototype;
  Node.prototype.removeChild = function <Child extends Node>(this: Node, child: Child): Child {
    return child.parentNode === this ? (removeChild.call(this, child) as Child) : child;
  };
  Node.prototype.insertBefore = function <Child extends Node>(this: Node, node: Child, next: Node | null): Child {
    return insertBefore.call(this, node, next?.parentNode === this ? next : null) as Child;
  };
}
