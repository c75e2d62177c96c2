/** Forty tasks as founders write them. A forbidden one names the rules that it breaks; an allowed one may still need the disclosure. */
export type TaskText = { title: string; instructions: string };

export const forbidden: readonly (TaskText & { breaks: string[] })[] = [
  { title: 'Follow us on X', instructions: 'Open our profile and press Follow.', breaks: ['x'] },
  { title: 'Retweet our launch', instructions: 'Repost the pinned tweet and send the link.', breaks: ['x'] },
  {
    title: 'Spread the word',
    instructions: 'Post about Tidewater on https://x.com and mention @tidewater. Then paste the link here.',
    breaks: ['x'],
  },
  { title: 'Tweet your setup', instructions: 'Tweet a picture of your desk with #paperkite.', breaks: ['x'] },
  {
    title: 'Like and reply',
    instructions: 'Go to https://twitter.com/lanternlabs/status/20, like it and reply with your thoughts.',
    breaks: ['x'],
  },
  { title: 'Review us on Trustpilot', instructions: 'Write a few lines on Trustpilot.', breaks: ['trustpilot'] },
  {
    title: 'Share your experience',
    instructions:
      'Please leave an honest review at https://www.trustpilot.com/review/example.com and add a screenshot.',
    breaks: ['trustpilot'],
  },
  {
    title: 'Help others find us',
    instructions: 'Leave us a Google review. Any rating is fine.',
    breaks: ['google'],
  },
  {
    title: 'Rate our café',
    instructions: 'Find us on Google Maps, rate us and write what you liked.',
    breaks: ['google'],
  },
  { title: 'Rate the app', instructions: 'Rate our app in the Play Store.', breaks: ['google-play'] },
  {
    title: 'Tell the store',
    instructions: 'Open https://play.google.com/store/apps/details?id=org.example and post a review.',
    breaks: ['google-play'],
  },
  {
    title: 'App Store review',
    instructions: 'Write a review of our app in the App Store and send us your nickname.',
    breaks: ['app-store'],
  },
  {
    title: 'Stars for Nimbuslane',
    instructions: 'Give us 5 stars wherever you like.',
    breaks: ['sentiment'],
  },
  {
    title: 'Say something nice',
    instructions: 'Write a positive review of our product on your favourite site.',
    breaks: ['sentiment'],
  },
  {
    title: 'We launch today',
    instructions: 'Upvote us on Product Hunt and come back for your points.',
    breaks: ['product-hunt'],
  },
  {
    title: 'Support our launch',
    instructions: 'Vote for us at https://www.producthunt.com/posts/example before midnight.',
    breaks: ['product-hunt'],
  },
  { title: 'Yelp', instructions: 'Write a review of our bakery on Yelp.', breaks: ['yelp'] },
  {
    title: 'Review the book',
    instructions: 'Buy the book on Amazon, read it and leave a review there.',
    breaks: ['amazon'],
  },
  {
    title: 'Star our repository',
    instructions: 'Give our project a star on https://github.com/example/example.',
    breaks: ['github'],
  },
  {
    title: 'Make some noise',
    instructions: 'Send three friends to our listing and get them to praise it, the more glowing the better.',
    breaks: ['sentiment'],
  },
];

export const allowed: readonly TaskText[] = [
  { title: 'Sign up', instructions: 'Create a free account and have a first look around.' },
  { title: 'Tell us what you think', instructions: 'Try the editor and tell us here what worked and what did not.' },
  { title: 'Read our reviews', instructions: 'Read three of our reviews on Trustpilot. Which one helped you most?' },
  {
    title: 'Find the pinned post',
    instructions: 'Open https://x.com/tidewater and tell us what the pinned post says.',
  },
  { title: 'Join our Discord', instructions: 'Join our server and say hello in the welcome channel.' },
  {
    title: 'Install the app',
    instructions: 'Install the app from the App Store or Google Play and open the tutorial.',
  },
  {
    title: 'Follow the guide',
    instructions: 'Follow the steps on https://example.com/start and post your result here.',
  },
  { title: 'Ask on Product Hunt', instructions: 'Read our Product Hunt page and tell us what you did not understand.' },
  { title: 'Code review', instructions: 'Review the pull request that we linked and note one bug in your proof.' },
  { title: 'Vote for the next feature', instructions: 'Vote in the poll on our website, whichever feature you like.' },
  { title: 'Rate the lesson', instructions: 'Finish lesson one and rate it inside the app, honestly.' },
  { title: 'Write a blog post', instructions: 'Write about your experience on your own blog, good or bad.' },
  { title: 'Share on LinkedIn', instructions: 'Share what you learnt in the course with your network.' },
  { title: 'Honest review', instructions: 'Try the product, review it on your own site, and send the link.' },
  { title: 'Get directions', instructions: 'Find our shop on Google Maps and tell us which bus stops there.' },
  { title: 'Sign in with Google', instructions: 'Sign in with Google and share a screenshot of your dashboard.' },
  { title: 'Star chart', instructions: 'Upload a picture of five stars that you drew with our app.' },
  {
    title: 'Report a problem',
    instructions: 'Found a bug? Open an issue at https://github.com/example/example/issues.',
  },
  {
    title: 'Amazon pickup',
    instructions: 'Pick up the sample from the Amazon locker and describe the packaging to us.',
  },
  { title: 'Why not five stars?', instructions: 'Tell us privately what kept you from liking the product more.' },
];
