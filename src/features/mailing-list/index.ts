export { MailingListForm } from './components/mailing-list-form';
