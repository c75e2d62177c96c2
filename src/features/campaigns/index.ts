export { CampaignList } from './components/campaign-list';
export { type Campaign, campaignQueries, type Task } from './queries';
