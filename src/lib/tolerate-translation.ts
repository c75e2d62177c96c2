/**
 * Translators of browsers replace each text of the page by an element of their own. When React removes such a text, or inserts something
 * before it, the browser throws, because the text has no parent any more, and the error page takes the place of everything, including what
 * has been typed. From here on, removing such a text does nothing, and what belongs before it goes to the end.
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
