/** What the database may have refused as invisible. It decides alone: some of these are seen where they join others. */
export const maybeHidden = /\p{C}|\p{Zl}|\p{Zp}|\p{Default_Ignorable_Code_Point}|\u2800|^\s*\p{M}/u;
