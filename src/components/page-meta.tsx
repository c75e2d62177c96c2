type PageMetaProps = {
  title?: string;
  description?: string;
  /** The path that search engines should know the page by, where it has several; else the one it is at. */
  canonicalPath?: string;
};

/**
 * Title, description and canonical address of a page; React puts them into the head. Every page renders exactly one. The
 * error page has no router around it, so the path comes from the window.
 */
export function PageMeta({ title, description, canonicalPath = window.location.pathname }: PageMetaProps) {
  const site = import.meta.env.VITE_SITE_URL || window.location.origin;
  return (
    <>
      <link rel="canonical" href={new URL(canonicalPath, site).href} />
      <title>{title ? `${title} · Questboard` : 'Questboard: quests that pay in points'}</title>
      {description && <meta name="description" content={description} />}
    </>
  );
}
