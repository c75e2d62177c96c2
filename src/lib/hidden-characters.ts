/**
 * Text with characters that the database may refuse as invisible. Only the database decides, because some of them are visible when they join
 * others: use this to find the field or line of a text that it has refused.
 */
export const maybeHidden = /\p{C}|\p{Zl}|\p{Zp}|\p{Default_Ignorable_Code_Point}|\u2800|^\s*\p{M}/u;
