import { countRatings, noFeedbackStats, toFeedbackStats } from './stats';

const distribution = { '1': 0, '2': 1, '3': 0, '4': 0, '5': 2 };

it('FEED-09 stats are the average with one decimal, the number and the distribution over 1 to 5', () => {
  const row = { average_rating: 4.04, total_reviews: 3, rating_distribution: distribution };
  expect(toFeedbackStats(row)).toEqual({ averageRating: 4, totalReviews: 3, ratingDistribution: distribution });
});

it('FEED-09 counting the ratings gives the same', () => {
  expect(countRatings([5, 2, 5])).toEqual({ averageRating: 4, totalReviews: 3, ratingDistribution: distribution });
  expect(countRatings([5, 4, 4]).averageRating).toBe(4.3);
  expect(countRatings([])).toEqual(noFeedbackStats);
});

it('throws on an unexpected shape', () => {
  expect(() => toFeedbackStats({ average_rating: 4 })).toThrow();
});
