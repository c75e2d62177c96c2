import { PageHeader } from '@/components/page-header';
import { PageMeta } from '@/components/page-meta';
import { heads } from '@/lib/head/page-head';
import { type LegalText, legalTexts } from '../legal/legal';
import { LegalBody } from '../legal/legal-texts';

/** A legal text as a page, linked from sign-up, mails and checkout. */
export default function LegalPage({ text }: { text: LegalText }) {
  const { title } = legalTexts[text];
  return (
    <div className="page-column max-w-form pb-16">
      <PageMeta {...heads[text]} />
      <PageHeader title={title} />
      <LegalBody text={text} />
    </div>
  );
}
