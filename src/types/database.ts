export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[];

export type Database = {
  public: {
    Tables: {
      app_settings: {
        Row: {
          beta_mode: boolean;
          id: boolean;
          leaderboard_enabled: boolean;
          logo_files_per_person: number;
          logo_megabytes_per_person: number;
          member_count_base: number;
          member_floor: number;
          og_original_price_cents: number;
          og_price_cents: number;
          og_slots: number;
          owner_email: string | null;
          pack_large_cents: number;
          pack_large_points: number;
          pack_medium_cents: number;
          pack_medium_points: number;
          pack_small_cents: number;
          pack_small_points: number;
          paid_referrals_per_day: number;
          points_floor: number;
          project_changes_per_hour: number;
          proof_files_per_person: number;
          proof_megabytes_per_person: number;
          quest_changes_per_hour: number;
          quest_creations_per_hour: number;
          quest_floor: number;
          referred_points: number;
          referrer_points: number;
          rewards_enabled: boolean;
          submissions_per_minute: number;
          treat_unverified_as_verified: boolean;
          trial_budget_points: number;
          trial_quest_limit: number;
          updated_at: string;
        };
        ComputedFields: never;
        Insert: {
          beta_mode?: boolean;
          id?: boolean;
          leaderboard_enabled?: boolean;
          logo_files_per_person?: number;
          logo_megabytes_per_person?: number;
          member_count_base?: number;
          member_floor?: number;
          og_original_price_cents?: number;
          og_price_cents?: number;
          og_slots?: number;
          owner_email?: string | null;
          pack_large_cents?: number;
          pack_large_points?: number;
          pack_medium_cents?: number;
          pack_medium_points?: number;
          pack_small_cents?: number;
          pack_small_points?: number;
          paid_referrals_per_day?: number;
          points_floor?: number;
          project_changes_per_hour?: number;
          proof_files_per_person?: number;
          proof_megabytes_per_person?: number;
          quest_changes_per_hour?: number;
          quest_creations_per_hour?: number;
          quest_floor?: number;
          referred_points?: number;
          referrer_points?: number;
          rewards_enabled?: boolean;
          submissions_per_minute?: number;
          treat_unverified_as_verified?: boolean;
          trial_budget_points?: number;
          trial_quest_limit?: number;
          updated_at?: string;
        };
        Update: {
          beta_mode?: boolean;
          id?: boolean;
          leaderboard_enabled?: boolean;
          logo_files_per_person?: number;
          logo_megabytes_per_person?: number;
          member_count_base?: number;
          member_floor?: number;
          og_original_price_cents?: number;
          og_price_cents?: number;
          og_slots?: number;
          owner_email?: string | null;
          pack_large_cents?: number;
          pack_large_points?: number;
          pack_medium_cents?: number;
          pack_medium_points?: number;
          pack_small_cents?: number;
          pack_small_points?: number;
          paid_referrals_per_day?: number;
          points_floor?: number;
          project_changes_per_hour?: number;
          proof_files_per_person?: number;
          proof_megabytes_per_person?: number;
          quest_changes_per_hour?: number;
          quest_creations_per_hour?: number;
          quest_floor?: number;
          referred_points?: number;
          referrer_points?: number;
          rewards_enabled?: boolean;
          submissions_per_minute?: number;
          treat_unverified_as_verified?: boolean;
          trial_budget_points?: number;
          trial_quest_limit?: number;
          updated_at?: string;
        };
        Relationships: [];
      };
      appeals: {
        Row: {
          against_at: string;
          against_reason: string | null;
          created_at: string;
          decided_at: string | null;
          decided_by: string | null;
          decision_note: string | null;
          due_at: string;
          id: string;
          kind: Database['public']['Enums']['appeal_kind'];
          startup_id: string | null;
          status: Database['public']['Enums']['appeal_status'];
          submission_id: string | null;
          user_id: string;
          words: string;
        };
        ComputedFields: never;
        Insert: {
          against_at: string;
          against_reason?: string | null;
          created_at?: string;
          decided_at?: string | null;
          decided_by?: string | null;
          decision_note?: string | null;
          due_at?: string;
          id?: string;
          kind: Database['public']['Enums']['appeal_kind'];
          startup_id?: string | null;
          status?: Database['public']['Enums']['appeal_status'];
          submission_id?: string | null;
          user_id: string;
          words: string;
        };
        Update: {
          against_at?: string;
          against_reason?: string | null;
          created_at?: string;
          decided_at?: string | null;
          decided_by?: string | null;
          decision_note?: string | null;
          due_at?: string;
          id?: string;
          kind?: Database['public']['Enums']['appeal_kind'];
          startup_id?: string | null;
          status?: Database['public']['Enums']['appeal_status'];
          submission_id?: string | null;
          user_id?: string;
          words?: string;
        };
        Relationships: [];
      };
      audit_log: {
        Row: {
          action: string;
          actor_id: string;
          after: Json | null;
          before: Json | null;
          created_at: string;
          id: number;
          note: string | null;
          subject_id: string;
          subject_type: string;
        };
        ComputedFields: never;
        Insert: {
          action: string;
          actor_id: string;
          after?: Json | null;
          before?: Json | null;
          created_at?: string;
          id?: never;
          note?: string | null;
          subject_id: string;
          subject_type: string;
        };
        Update: {
          action?: string;
          actor_id?: string;
          after?: Json | null;
          before?: Json | null;
          created_at?: string;
          id?: never;
          note?: string | null;
          subject_id?: string;
          subject_type?: string;
        };
        Relationships: [];
      };
      badges: {
        Row: {
          badge: string;
          id: string;
          user_id: string;
          week: string;
        };
        ComputedFields: never;
        Insert: {
          badge: string;
          id?: string;
          user_id: string;
          week: string;
        };
        Update: {
          badge?: string;
          id?: string;
          user_id?: string;
          week?: string;
        };
        Relationships: [];
      };
      beta_feedback: {
        Row: {
          admin_notes: string | null;
          created_at: string;
          description: string;
          email: string | null;
          id: string;
          priority: string;
          rating: number | null;
          status: string;
          title: string;
          type: string;
          updated_at: string;
          user_id: string | null;
        };
        ComputedFields: never;
        Insert: {
          admin_notes?: string | null;
          created_at?: string;
          description: string;
          email?: string | null;
          id?: string;
          priority?: string;
          rating?: number | null;
          status?: string;
          title: string;
          type: string;
          updated_at?: string;
          user_id?: string | null;
        };
        Update: {
          admin_notes?: string | null;
          created_at?: string;
          description?: string;
          email?: string | null;
          id?: string;
          priority?: string;
          rating?: number | null;
          status?: string;
          title?: string;
          type?: string;
          updated_at?: string;
          user_id?: string | null;
        };
        Relationships: [];
      };
      campaign_email_collections: {
        Row: {
          campaign_id: string;
          collected_at: string;
          email: string;
          id: string;
          submission_id: string;
          user_id: string;
        };
        ComputedFields: never;
        Insert: {
          campaign_id: string;
          collected_at?: string;
          email: string;
          id?: string;
          submission_id: string;
          user_id: string;
        };
        Update: {
          campaign_id?: string;
          collected_at?: string;
          email?: string;
          id?: string;
          submission_id?: string;
          user_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'campaign_email_collections_campaign_id_fkey';
            columns: ['campaign_id'];
            isOneToOne: false;
            referencedRelation: 'campaigns';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'campaign_email_collections_submission_id_fkey';
            columns: ['submission_id'];
            isOneToOne: false;
            referencedRelation: 'submissions';
            referencedColumns: ['id'];
          },
        ];
      };
      campaigns: {
        Row: {
          approved_count: number;
          budget_cash_cents: number;
          budget_points: number;
          closed_at: string | null;
          collect_emails: boolean;
          created_at: string;
          custom_reward_description: string | null;
          custom_reward_title: string | null;
          details_md: string;
          email_collection_purpose: string | null;
          ends_at: string | null;
          held_at: string | null;
          held_by: string | null;
          hold_cause: Database['public']['Enums']['hold_cause'] | null;
          hold_reason: string | null;
          id: string;
          is_full: boolean | null;
          kept_count: number;
          median_minutes: number | null;
          open_reward_points: number;
          open_slots: number | null;
          participant_count: number;
          pending_count: number;
          points_distributed: number;
          published_at: string | null;
          review_hours: number;
          starts_at: string | null;
          startup_id: string;
          status: Database['public']['Enums']['campaign_status'];
          status_before_hold: Database['public']['Enums']['campaign_status'] | null;
          submission_count: number;
          summary: string;
          task_count: number;
          title: string;
          total_slots: number;
          updated_at: string;
        };
        ComputedFields: never;
        Insert: {
          approved_count?: number;
          budget_cash_cents?: number;
          budget_points?: number;
          closed_at?: string | null;
          collect_emails?: boolean;
          created_at?: string;
          custom_reward_description?: string | null;
          custom_reward_title?: string | null;
          details_md?: string;
          email_collection_purpose?: string | null;
          ends_at?: string | null;
          held_at?: string | null;
          held_by?: string | null;
          hold_cause?: Database['public']['Enums']['hold_cause'] | null;
          hold_reason?: string | null;
          id?: string;
          is_full?: never;
          kept_count?: number;
          median_minutes?: number | null;
          open_reward_points?: number;
          open_slots?: never;
          participant_count?: number;
          pending_count?: number;
          points_distributed?: number;
          published_at?: string | null;
          review_hours?: number;
          starts_at?: string | null;
          startup_id: string;
          status?: Database['public']['Enums']['campaign_status'];
          status_before_hold?: Database['public']['Enums']['campaign_status'] | null;
          submission_count?: number;
          summary?: string;
          task_count?: number;
          title: string;
          total_slots?: number;
          updated_at?: string;
        };
        Update: {
          approved_count?: number;
          budget_cash_cents?: number;
          budget_points?: number;
          closed_at?: string | null;
          collect_emails?: boolean;
          created_at?: string;
          custom_reward_description?: string | null;
          custom_reward_title?: string | null;
          details_md?: string;
          email_collection_purpose?: string | null;
          ends_at?: string | null;
          held_at?: string | null;
          held_by?: string | null;
          hold_cause?: Database['public']['Enums']['hold_cause'] | null;
          hold_reason?: string | null;
          id?: string;
          is_full?: never;
          kept_count?: number;
          median_minutes?: number | null;
          open_reward_points?: number;
          open_slots?: never;
          participant_count?: number;
          pending_count?: number;
          points_distributed?: number;
          published_at?: string | null;
          review_hours?: number;
          starts_at?: string | null;
          startup_id?: string;
          status?: Database['public']['Enums']['campaign_status'];
          status_before_hold?: Database['public']['Enums']['campaign_status'] | null;
          submission_count?: number;
          summary?: string;
          task_count?: number;
          title?: string;
          total_slots?: number;
          updated_at?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'campaigns_startup_id_fkey';
            columns: ['startup_id'];
            isOneToOne: false;
            referencedRelation: 'startup_profiles';
            referencedColumns: ['id'];
          },
        ];
      };
      email_consents: {
        Row: {
          campaign_id: string | null;
          email: string;
          given_at: string;
          handed_over_at: string | null;
          id: string;
          project_name: string;
          quest_title: string;
          statement: string;
          user_id: string;
          withdrawn_at: string | null;
        };
        ComputedFields: never;
        Insert: {
          campaign_id?: string | null;
          email: string;
          given_at?: string;
          handed_over_at?: string | null;
          id?: string;
          project_name: string;
          quest_title: string;
          statement: string;
          user_id: string;
          withdrawn_at?: string | null;
        };
        Update: {
          campaign_id?: string | null;
          email?: string;
          given_at?: string;
          handed_over_at?: string | null;
          id?: string;
          project_name?: string;
          quest_title?: string;
          statement?: string;
          user_id?: string;
          withdrawn_at?: string | null;
        };
        Relationships: [
          {
            foreignKeyName: 'email_consents_campaign_id_fkey';
            columns: ['campaign_id'];
            isOneToOne: false;
            referencedRelation: 'campaigns';
            referencedColumns: ['id'];
          },
        ];
      };
      entries: {
        Row: {
          balance_after: number | null;
          id: number;
          system_account: string | null;
          transfer_id: number;
          type: Database['public']['Enums']['transaction_type'];
          user_id: string | null;
          wallet_id: string | null;
        };
        ComputedFields: never;
        Insert: {
          balance_after?: number | null;
          id?: never;
          system_account?: string | null;
          transfer_id: number;
          type: Database['public']['Enums']['transaction_type'];
          user_id?: string | null;
          wallet_id?: string | null;
        };
        Update: {
          balance_after?: number | null;
          id?: never;
          system_account?: string | null;
          transfer_id?: number;
          type?: Database['public']['Enums']['transaction_type'];
          user_id?: string | null;
          wallet_id?: string | null;
        };
        Relationships: [
          {
            foreignKeyName: 'entries_wallet_id_fkey';
            columns: ['wallet_id'];
            isOneToOne: false;
            referencedRelation: 'wallets';
            referencedColumns: ['id'];
          },
        ];
      };
      followed_projects: {
        Row: {
          followed_at: string;
          id: string;
          startup_id: string;
          user_id: string;
        };
        ComputedFields: never;
        Insert: {
          followed_at?: string;
          id?: string;
          startup_id: string;
          user_id: string;
        };
        Update: {
          followed_at?: string;
          id?: string;
          startup_id?: string;
          user_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'followed_projects_startup_id_fkey';
            columns: ['startup_id'];
            isOneToOne: false;
            referencedRelation: 'startup_profiles';
            referencedColumns: ['id'];
          },
        ];
      };
      mailing_list: {
        Row: {
          campaign_id: string | null;
          confirmed_at: string | null;
          email: string;
          id: string;
          is_active: boolean;
          metadata: NonNullable<Json>;
          source: string;
          status: string;
          subscribed_at: string;
          unsubscribed_at: string | null;
          updated_at: string;
          user_id: string | null;
        };
        ComputedFields: never;
        Insert: {
          campaign_id?: string | null;
          confirmed_at?: string | null;
          email: string;
          id?: string;
          is_active?: boolean;
          metadata?: NonNullable<Json>;
          source?: string;
          status?: never;
          subscribed_at?: string;
          unsubscribed_at?: string | null;
          updated_at?: string;
          user_id?: string | null;
        };
        Update: {
          campaign_id?: string | null;
          confirmed_at?: string | null;
          email?: string;
          id?: string;
          is_active?: boolean;
          metadata?: NonNullable<Json>;
          source?: string;
          status?: never;
          subscribed_at?: string;
          unsubscribed_at?: string | null;
          updated_at?: string;
          user_id?: string | null;
        };
        Relationships: [
          {
            foreignKeyName: 'mailing_list_campaign_id_fkey';
            columns: ['campaign_id'];
            isOneToOne: false;
            referencedRelation: 'campaigns';
            referencedColumns: ['id'];
          },
        ];
      };
      member_profiles: {
        Row: {
          handle: string;
          id: string;
          is_public: boolean;
          updated_at: string;
          user_id: string;
        };
        ComputedFields: never;
        Insert: {
          handle: string;
          id?: string;
          is_public?: boolean;
          updated_at?: string;
          user_id: string;
        };
        Update: {
          handle?: string;
          id?: string;
          is_public?: boolean;
          updated_at?: string;
          user_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'member_profiles_user_id_fkey';
            columns: ['user_id'];
            isOneToOne: true;
            referencedRelation: 'user_profiles';
            referencedColumns: ['user_id'];
          },
        ];
      };
      metrics_events: {
        Row: {
          created_at: string;
          data: NonNullable<Json>;
          id: number;
          type: string;
          user_id: string | null;
        };
        ComputedFields: never;
        Insert: {
          created_at?: string;
          data?: NonNullable<Json>;
          id?: never;
          type: string;
          user_id?: string | null;
        };
        Update: {
          created_at?: string;
          data?: NonNullable<Json>;
          id?: never;
          type?: string;
          user_id?: string | null;
        };
        Relationships: [];
      };
      notification_preferences: {
        Row: {
          id: string;
          is_mailed: boolean;
          kind: Database['public']['Enums']['notification_kind'];
          updated_at: string;
          user_id: string;
        };
        ComputedFields: never;
        Insert: {
          id?: string;
          is_mailed: boolean;
          kind: Database['public']['Enums']['notification_kind'];
          updated_at?: string;
          user_id: string;
        };
        Update: {
          id?: string;
          is_mailed?: boolean;
          kind?: Database['public']['Enums']['notification_kind'];
          updated_at?: string;
          user_id?: string;
        };
        Relationships: [];
      };
      notifications: {
        Row: {
          created_at: string;
          data: NonNullable<Json>;
          id: number;
          read_at: string | null;
          type: string;
          user_id: string;
        };
        ComputedFields: never;
        Insert: {
          created_at?: string;
          data: NonNullable<Json>;
          id: number;
          read_at?: string | null;
          type: string;
          user_id: string;
        };
        Update: {
          created_at?: string;
          data?: NonNullable<Json>;
          id?: number;
          read_at?: string | null;
          type?: string;
          user_id?: string;
        };
        Relationships: [];
      };
      outbox_events: {
        Row: {
          actor_id: string | null;
          attempts: number;
          created_at: string;
          deferrals: number;
          deferred_since: string | null;
          failed_at: string | null;
          id: number;
          last_error: string | null;
          mail_admitted_at: string | null;
          next_attempt_at: string;
          payload: NonNullable<Json>;
          processed_at: string | null;
          type: string;
          uncertain_since: string | null;
          user_id: string | null;
        };
        ComputedFields: never;
        Insert: {
          actor_id?: string | null;
          attempts?: number;
          created_at?: string;
          deferrals?: number;
          deferred_since?: string | null;
          failed_at?: string | null;
          id?: never;
          last_error?: string | null;
          mail_admitted_at?: string | null;
          next_attempt_at?: string;
          payload?: NonNullable<Json>;
          processed_at?: string | null;
          type: string;
          uncertain_since?: string | null;
          user_id?: string | null;
        };
        Update: {
          actor_id?: string | null;
          attempts?: number;
          created_at?: string;
          deferrals?: number;
          deferred_since?: string | null;
          failed_at?: string | null;
          id?: never;
          last_error?: string | null;
          mail_admitted_at?: string | null;
          next_attempt_at?: string;
          payload?: NonNullable<Json>;
          processed_at?: string | null;
          type?: string;
          uncertain_since?: string | null;
          user_id?: string | null;
        };
        Relationships: [];
      };
      point_holds: {
        Row: {
          cause_submission_id: string | null;
          check_at: string;
          created_at: string;
          depends_on: string;
          due_at: string | null;
          id: number;
          points: number;
          reason: string;
          release_reason: string | null;
          released_at: string | null;
          reversed_at: string | null;
          user_id: string;
          wallet_id: string;
        };
        ComputedFields: never;
        Insert: {
          cause_submission_id?: string | null;
          check_at: string;
          created_at?: string;
          depends_on: string;
          due_at?: string | null;
          id: number;
          points: number;
          reason: string;
          release_reason?: string | null;
          released_at?: string | null;
          reversed_at?: string | null;
          user_id: string;
          wallet_id: string;
        };
        Update: {
          cause_submission_id?: string | null;
          check_at?: string;
          created_at?: string;
          depends_on?: string;
          due_at?: string | null;
          id?: number;
          points?: number;
          reason?: string;
          release_reason?: string | null;
          released_at?: string | null;
          reversed_at?: string | null;
          user_id?: string;
          wallet_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'point_holds_id_fkey';
            columns: ['id'];
            isOneToOne: true;
            referencedRelation: 'transfers';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'point_holds_wallet_id_fkey';
            columns: ['wallet_id'];
            isOneToOne: false;
            referencedRelation: 'wallets';
            referencedColumns: ['id'];
          },
        ];
      };
      point_purchases: {
        Row: {
          amount_cents: number;
          created_at: string;
          credited_points: number;
          currency: string;
          id: string;
          owner_user_id: string;
          pack_id: string;
          payment_ref: string;
          points: number;
          receipt_url: string | null;
          startup_id: string | null;
          status: Database['public']['Enums']['purchase_status'];
          updated_at: string;
          written_off_at: string | null;
        };
        ComputedFields: never;
        Insert: {
          amount_cents: number;
          created_at?: string;
          credited_points?: number;
          currency?: string;
          id?: string;
          owner_user_id: string;
          pack_id: string;
          payment_ref: string;
          points: number;
          receipt_url?: string | null;
          startup_id?: string | null;
          status: Database['public']['Enums']['purchase_status'];
          updated_at?: string;
          written_off_at?: string | null;
        };
        Update: {
          amount_cents?: number;
          created_at?: string;
          credited_points?: number;
          currency?: string;
          id?: string;
          owner_user_id?: string;
          pack_id?: string;
          payment_ref?: string;
          points?: number;
          receipt_url?: string | null;
          startup_id?: string | null;
          status?: Database['public']['Enums']['purchase_status'];
          updated_at?: string;
          written_off_at?: string | null;
        };
        Relationships: [
          {
            foreignKeyName: 'point_purchases_startup_id_fkey';
            columns: ['startup_id'];
            isOneToOne: false;
            referencedRelation: 'startup_profiles';
            referencedColumns: ['id'];
          },
        ];
      };
      project_feedback: {
        Row: {
          created_at: string;
          feedback_text: string;
          id: string;
          project_id: string;
          rating: number;
          updated_at: string;
          user_id: string;
        };
        ComputedFields: never;
        Insert: {
          created_at?: string;
          feedback_text: string;
          id?: string;
          project_id: string;
          rating: number;
          updated_at?: string;
          user_id: string;
        };
        Update: {
          created_at?: string;
          feedback_text?: string;
          id?: string;
          project_id?: string;
          rating?: number;
          updated_at?: string;
          user_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'project_feedback_project_id_fkey';
            columns: ['project_id'];
            isOneToOne: false;
            referencedRelation: 'startup_profiles';
            referencedColumns: ['id'];
          },
        ];
      };
      redemptions: {
        Row: {
          cancelled_at: string | null;
          created_at: string;
          delivery: Database['public']['Enums']['reward_delivery'];
          fulfilled_at: string | null;
          handled_by: string | null;
          id: string;
          idempotency_key: string;
          is_from_stock: boolean;
          note: string | null;
          points_cost: number;
          reward_id: string;
          reward_title: string;
          status: Database['public']['Enums']['redemption_status'];
          user_id: string;
        };
        ComputedFields: never;
        Insert: {
          cancelled_at?: string | null;
          created_at?: string;
          delivery?: Database['public']['Enums']['reward_delivery'];
          fulfilled_at?: string | null;
          handled_by?: string | null;
          id?: string;
          idempotency_key: string;
          is_from_stock?: boolean;
          note?: string | null;
          points_cost: number;
          reward_id: string;
          reward_title: string;
          status?: Database['public']['Enums']['redemption_status'];
          user_id: string;
        };
        Update: {
          cancelled_at?: string | null;
          created_at?: string;
          delivery?: Database['public']['Enums']['reward_delivery'];
          fulfilled_at?: string | null;
          handled_by?: string | null;
          id?: string;
          idempotency_key?: string;
          is_from_stock?: boolean;
          note?: string | null;
          points_cost?: number;
          reward_id?: string;
          reward_title?: string;
          status?: Database['public']['Enums']['redemption_status'];
          user_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'redemptions_reward_id_fkey';
            columns: ['reward_id'];
            isOneToOne: false;
            referencedRelation: 'rewards';
            referencedColumns: ['id'];
          },
        ];
      };
      referral_codes: {
        Row: {
          clicks: number;
          code: string;
          created_at: string;
          id: string;
          is_active: boolean;
          successful_referrals: number;
          total_rewards_earned: number;
          user_id: string;
        };
        ComputedFields: never;
        Insert: {
          clicks?: number;
          code: string;
          created_at?: string;
          id?: string;
          is_active?: boolean;
          successful_referrals?: number;
          total_rewards_earned?: number;
          user_id: string;
        };
        Update: {
          clicks?: number;
          code?: string;
          created_at?: string;
          id?: string;
          is_active?: boolean;
          successful_referrals?: number;
          total_rewards_earned?: number;
          user_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'referral_codes_user_id_fkey';
            columns: ['user_id'];
            isOneToOne: true;
            referencedRelation: 'user_profiles';
            referencedColumns: ['user_id'];
          },
        ];
      };
      referrals: {
        Row: {
          completed_at: string | null;
          created_at: string;
          id: string;
          referral_code: string;
          referred_reward_points: number;
          referred_user_id: string;
          referrer_reward_points: number;
          referrer_user_id: string;
          rewarded_at: string | null;
          status: Database['public']['Enums']['referral_status'];
          updated_at: string;
        };
        ComputedFields: never;
        Insert: {
          completed_at?: string | null;
          created_at?: string;
          id?: string;
          referral_code: string;
          referred_reward_points?: number;
          referred_user_id: string;
          referrer_reward_points?: number;
          referrer_user_id: string;
          rewarded_at?: string | null;
          status?: Database['public']['Enums']['referral_status'];
          updated_at?: string;
        };
        Update: {
          completed_at?: string | null;
          created_at?: string;
          id?: string;
          referral_code?: string;
          referred_reward_points?: number;
          referred_user_id?: string;
          referrer_reward_points?: number;
          referrer_user_id?: string;
          rewarded_at?: string | null;
          status?: Database['public']['Enums']['referral_status'];
          updated_at?: string;
        };
        Relationships: [];
      };
      rewards: {
        Row: {
          cash_value_cents: number | null;
          created_at: string;
          delivery: Database['public']['Enums']['reward_delivery'];
          description: string;
          id: string;
          image_url: string | null;
          is_active: boolean;
          points_cost: number;
          stock_quantity: number | null;
          title: string;
          updated_at: string;
        };
        ComputedFields: never;
        Insert: {
          cash_value_cents?: number | null;
          created_at?: string;
          delivery?: Database['public']['Enums']['reward_delivery'];
          description?: string;
          id?: string;
          image_url?: string | null;
          is_active?: boolean;
          points_cost: number;
          stock_quantity?: number | null;
          title: string;
          updated_at?: string;
        };
        Update: {
          cash_value_cents?: number | null;
          created_at?: string;
          delivery?: Database['public']['Enums']['reward_delivery'];
          description?: string;
          id?: string;
          image_url?: string | null;
          is_active?: boolean;
          points_cost?: number;
          stock_quantity?: number | null;
          title?: string;
          updated_at?: string;
        };
        Relationships: [];
      };
      saved_quests: {
        Row: {
          campaign_id: string;
          id: string;
          saved_at: string;
          user_id: string;
        };
        ComputedFields: never;
        Insert: {
          campaign_id: string;
          id?: string;
          saved_at?: string;
          user_id: string;
        };
        Update: {
          campaign_id?: string;
          id?: string;
          saved_at?: string;
          user_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'saved_quests_campaign_id_fkey';
            columns: ['campaign_id'];
            isOneToOne: false;
            referencedRelation: 'campaigns';
            referencedColumns: ['id'];
          },
        ];
      };
      startup_profiles: {
        Row: {
          changed_at: string | null;
          changed_from: Json | null;
          checked_at: string | null;
          created_at: string;
          description: string | null;
          former_name: string | null;
          id: string;
          industry: string;
          is_public: boolean;
          logo_url: string | null;
          name: string;
          owner_email: string | null;
          owner_user_id: string;
          renamed_at: string | null;
          review_note: string | null;
          reviewed_at: string | null;
          reviewed_by: string | null;
          revoked_at: string | null;
          status: Database['public']['Enums']['startup_status'];
          suspended_at: string | null;
          updated_at: string;
          website: string | null;
        };
        ComputedFields: never;
        Insert: {
          changed_at?: string | null;
          changed_from?: Json | null;
          checked_at?: string | null;
          created_at?: string;
          description?: string | null;
          former_name?: string | null;
          id?: string;
          industry: string;
          is_public?: never;
          logo_url?: string | null;
          name: string;
          owner_email?: string | null;
          owner_user_id: string;
          renamed_at?: string | null;
          review_note?: string | null;
          reviewed_at?: string | null;
          reviewed_by?: string | null;
          revoked_at?: string | null;
          status?: Database['public']['Enums']['startup_status'];
          suspended_at?: string | null;
          updated_at?: string;
          website?: string | null;
        };
        Update: {
          changed_at?: string | null;
          changed_from?: Json | null;
          checked_at?: string | null;
          created_at?: string;
          description?: string | null;
          former_name?: string | null;
          id?: string;
          industry?: string;
          is_public?: never;
          logo_url?: string | null;
          name?: string;
          owner_email?: string | null;
          owner_user_id?: string;
          renamed_at?: string | null;
          review_note?: string | null;
          reviewed_at?: string | null;
          reviewed_by?: string | null;
          revoked_at?: string | null;
          status?: Database['public']['Enums']['startup_status'];
          suspended_at?: string | null;
          updated_at?: string;
          website?: string | null;
        };
        Relationships: [];
      };
      submission_flags: {
        Row: {
          campaign_id: string;
          created_at: string;
          dismissal_reason: string | null;
          dismissed_at: string | null;
          dismissed_by: string | null;
          evidence: NonNullable<Json>;
          id: string;
          kind: string;
          submission_id: string;
          twin_submission_id: string | null;
          user_id: string;
        };
        ComputedFields: never;
        Insert: {
          campaign_id: string;
          created_at?: string;
          dismissal_reason?: string | null;
          dismissed_at?: string | null;
          dismissed_by?: string | null;
          evidence?: NonNullable<Json>;
          id?: string;
          kind: string;
          submission_id: string;
          twin_submission_id?: string | null;
          user_id: string;
        };
        Update: {
          campaign_id?: string;
          created_at?: string;
          dismissal_reason?: string | null;
          dismissed_at?: string | null;
          dismissed_by?: string | null;
          evidence?: NonNullable<Json>;
          id?: string;
          kind?: string;
          submission_id?: string;
          twin_submission_id?: string | null;
          user_id?: string;
        };
        Relationships: [];
      };
      submission_history: {
        Row: {
          action: string;
          actor_id: string;
          campaign_id: string;
          created_at: string;
          id: number;
          note: string | null;
          project_wallet_id: string | null;
          proof_text: string | null;
          proof_url: string | null;
          rejection_reason: Database['public']['Enums']['rejection_reason'] | null;
          review_due_at: string | null;
          submission_id: string;
          submitted_at: string | null;
          user_id: string;
        };
        ComputedFields: never;
        Insert: {
          action: string;
          actor_id: string;
          campaign_id: string;
          created_at?: string;
          id?: never;
          note?: string | null;
          project_wallet_id?: string | null;
          proof_text?: string | null;
          proof_url?: string | null;
          rejection_reason?: Database['public']['Enums']['rejection_reason'] | null;
          review_due_at?: string | null;
          submission_id: string;
          submitted_at?: string | null;
          user_id: string;
        };
        Update: {
          action?: string;
          actor_id?: string;
          campaign_id?: string;
          created_at?: string;
          id?: never;
          note?: string | null;
          project_wallet_id?: string | null;
          proof_text?: string | null;
          proof_url?: string | null;
          rejection_reason?: Database['public']['Enums']['rejection_reason'] | null;
          review_due_at?: string | null;
          submission_id?: string;
          submitted_at?: string | null;
          user_id?: string;
        };
        Relationships: [];
      };
      submissions: {
        Row: {
          appealed_at: string | null;
          campaign_id: string;
          created_at: string;
          id: string;
          is_slot_reopened: boolean;
          kept_until: string | null;
          participant_email: string | null;
          proof_text: string | null;
          proof_url: string | null;
          rejection_reason: Database['public']['Enums']['rejection_reason'] | null;
          review_check_at: string | null;
          review_due_at: string | null;
          review_note: string | null;
          reviewed_at: string | null;
          reviewed_by: string | null;
          reward_points: number;
          status: Database['public']['Enums']['submission_status'];
          submitted_at: string;
          task_id: string;
          user_id: string;
          flags: Json | null;
          is_flagged: boolean | null;
        };
        ComputedFields: 'flags' | 'is_flagged';
        Insert: {
          appealed_at?: string | null;
          campaign_id: string;
          created_at?: string;
          id?: string;
          is_slot_reopened?: boolean;
          kept_until?: string | null;
          participant_email?: string | null;
          proof_text?: string | null;
          proof_url?: string | null;
          rejection_reason?: Database['public']['Enums']['rejection_reason'] | null;
          review_check_at?: string | null;
          review_due_at?: string | null;
          review_note?: string | null;
          reviewed_at?: string | null;
          reviewed_by?: string | null;
          reward_points: number;
          status?: Database['public']['Enums']['submission_status'];
          submitted_at?: string;
          task_id: string;
          user_id: string;
        };
        Update: {
          appealed_at?: string | null;
          campaign_id?: string;
          created_at?: string;
          id?: string;
          is_slot_reopened?: boolean;
          kept_until?: string | null;
          participant_email?: string | null;
          proof_text?: string | null;
          proof_url?: string | null;
          rejection_reason?: Database['public']['Enums']['rejection_reason'] | null;
          review_check_at?: string | null;
          review_due_at?: string | null;
          review_note?: string | null;
          reviewed_at?: string | null;
          reviewed_by?: string | null;
          reward_points?: number;
          status?: Database['public']['Enums']['submission_status'];
          submitted_at?: string;
          task_id?: string;
          user_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'submissions_campaign_id_fkey';
            columns: ['campaign_id'];
            isOneToOne: false;
            referencedRelation: 'campaigns';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'submissions_task_id_fkey';
            columns: ['task_id'];
            isOneToOne: false;
            referencedRelation: 'tasks';
            referencedColumns: ['id'];
          },
        ];
      };
      subscriptions: {
        Row: {
          amount_cents: number;
          created_at: string;
          current_period_end: string | null;
          id: string;
          owner_user_id: string;
          payment_ref: string;
          plan_id: string;
          receipt_url: string | null;
          startup_id: string | null;
          status: Database['public']['Enums']['subscription_status'];
          updated_at: string;
        };
        ComputedFields: never;
        Insert: {
          amount_cents: number;
          created_at?: string;
          current_period_end?: string | null;
          id?: string;
          owner_user_id: string;
          payment_ref: string;
          plan_id: string;
          receipt_url?: string | null;
          startup_id?: string | null;
          status?: Database['public']['Enums']['subscription_status'];
          updated_at?: string;
        };
        Update: {
          amount_cents?: number;
          created_at?: string;
          current_period_end?: string | null;
          id?: string;
          owner_user_id?: string;
          payment_ref?: string;
          plan_id?: string;
          receipt_url?: string | null;
          startup_id?: string | null;
          status?: Database['public']['Enums']['subscription_status'];
          updated_at?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'subscriptions_startup_id_fkey';
            columns: ['startup_id'];
            isOneToOne: false;
            referencedRelation: 'startup_profiles';
            referencedColumns: ['id'];
          },
        ];
      };
      tasks: {
        Row: {
          approved_count: number;
          auto_verify: boolean;
          campaign_id: string;
          created_at: string;
          id: string;
          incentive_rules: string[];
          instructions_md: string;
          kept_count: number;
          kept_points: number;
          link_url: string | null;
          max_completions: number;
          order_index: number;
          pending_count: number;
          pending_points: number;
          proof_type: Database['public']['Enums']['proof_type'];
          raised_points: number;
          requires_proof: boolean;
          reward_points: number;
          title: string;
          type: Database['public']['Enums']['task_type'];
          verification: Database['public']['Enums']['task_verification'];
        };
        ComputedFields: never;
        Insert: {
          approved_count?: number;
          auto_verify?: never;
          campaign_id: string;
          created_at?: string;
          id?: string;
          incentive_rules?: string[];
          instructions_md?: string;
          kept_count?: number;
          kept_points?: number;
          link_url?: string | null;
          max_completions: number;
          order_index?: number;
          pending_count?: number;
          pending_points?: number;
          proof_type?: Database['public']['Enums']['proof_type'];
          raised_points?: number;
          requires_proof?: boolean;
          reward_points: number;
          title: string;
          type: Database['public']['Enums']['task_type'];
          verification?: Database['public']['Enums']['task_verification'];
        };
        Update: {
          approved_count?: number;
          auto_verify?: never;
          campaign_id?: string;
          created_at?: string;
          id?: string;
          incentive_rules?: string[];
          instructions_md?: string;
          kept_count?: number;
          kept_points?: number;
          link_url?: string | null;
          max_completions?: number;
          order_index?: number;
          pending_count?: number;
          pending_points?: number;
          proof_type?: Database['public']['Enums']['proof_type'];
          raised_points?: number;
          requires_proof?: boolean;
          reward_points?: number;
          title?: string;
          type?: Database['public']['Enums']['task_type'];
          verification?: Database['public']['Enums']['task_verification'];
        };
        Relationships: [
          {
            foreignKeyName: 'tasks_campaign_id_fkey';
            columns: ['campaign_id'];
            isOneToOne: false;
            referencedRelation: 'campaigns';
            referencedColumns: ['id'];
          },
        ];
      };
      transfers: {
        Row: {
          campaign_id: string | null;
          created_at: string;
          description: string;
          id: number;
          idempotency_key: string | null;
          kind: Database['public']['Enums']['transfer_kind'];
          metadata: NonNullable<Json>;
          points: number;
          redemption_id: string | null;
          referral_id: string | null;
          submission_id: string | null;
          trial_points: number | null;
        };
        ComputedFields: never;
        Insert: {
          campaign_id?: string | null;
          created_at?: string;
          description: string;
          id?: never;
          idempotency_key?: string | null;
          kind: Database['public']['Enums']['transfer_kind'];
          metadata?: NonNullable<Json>;
          points: number;
          redemption_id?: string | null;
          referral_id?: string | null;
          submission_id?: string | null;
          trial_points?: number | null;
        };
        Update: {
          campaign_id?: string | null;
          created_at?: string;
          description?: string;
          id?: never;
          idempotency_key?: string | null;
          kind?: Database['public']['Enums']['transfer_kind'];
          metadata?: NonNullable<Json>;
          points?: number;
          redemption_id?: string | null;
          referral_id?: string | null;
          submission_id?: string | null;
          trial_points?: number | null;
        };
        Relationships: [];
      };
      user_profiles: {
        Row: {
          avatar_url: string | null;
          created_at: string;
          display_name: string | null;
          email: string | null;
          id: string;
          interests: string[];
          masked_name: string | null;
          masked_username: string | null;
          og_badge: boolean;
          provider_changed_at: string | null;
          role: Database['public']['Enums']['user_role'];
          suspended_at: string | null;
          suspension_reason: string | null;
          updated_at: string;
          user_id: string;
          username: string;
          verified_socials: NonNullable<Json>;
          welcome_email_sent_at: string | null;
        };
        ComputedFields: never;
        Insert: {
          avatar_url?: string | null;
          created_at?: string;
          display_name?: string | null;
          email?: string | null;
          id?: string;
          interests?: string[];
          masked_name?: never;
          masked_username?: never;
          og_badge?: boolean;
          provider_changed_at?: string | null;
          role?: Database['public']['Enums']['user_role'];
          suspended_at?: string | null;
          suspension_reason?: string | null;
          updated_at?: string;
          user_id: string;
          username: string;
          verified_socials?: NonNullable<Json>;
          welcome_email_sent_at?: string | null;
        };
        Update: {
          avatar_url?: string | null;
          created_at?: string;
          display_name?: string | null;
          email?: string | null;
          id?: string;
          interests?: string[];
          masked_name?: never;
          masked_username?: never;
          og_badge?: boolean;
          provider_changed_at?: string | null;
          role?: Database['public']['Enums']['user_role'];
          suspended_at?: string | null;
          suspension_reason?: string | null;
          updated_at?: string;
          user_id?: string;
          username?: string;
          verified_socials?: NonNullable<Json>;
          welcome_email_sent_at?: string | null;
        };
        Relationships: [];
      };
      wallets: {
        Row: {
          campaign_id: string | null;
          cash_cents: number;
          created_at: string;
          held_points: number;
          id: string;
          kind: Database['public']['Enums']['wallet_kind'];
          leaderboard_points: number;
          lifetime_points: number;
          owner_user_id: string;
          points: number;
          startup_id: string | null;
          trial_points: number;
          updated_at: string;
          user_id: string | null;
        };
        ComputedFields: never;
        Insert: {
          campaign_id?: string | null;
          cash_cents?: number;
          created_at?: string;
          held_points?: number;
          id?: string;
          kind: Database['public']['Enums']['wallet_kind'];
          leaderboard_points?: number;
          lifetime_points?: number;
          owner_user_id: string;
          points?: number;
          startup_id?: string | null;
          trial_points?: number;
          updated_at?: string;
          user_id?: string | null;
        };
        Update: {
          campaign_id?: string | null;
          cash_cents?: number;
          created_at?: string;
          held_points?: number;
          id?: string;
          kind?: Database['public']['Enums']['wallet_kind'];
          leaderboard_points?: number;
          lifetime_points?: number;
          owner_user_id?: string;
          points?: number;
          startup_id?: string | null;
          trial_points?: number;
          updated_at?: string;
          user_id?: string | null;
        };
        Relationships: [];
      };
    };
    Views: {
      transactions: {
        Row: {
          balance_after: number | null;
          campaign_id: string | null;
          created_at: string;
          description: string;
          id: number;
          kind: Database['public']['Enums']['transfer_kind'];
          metadata: NonNullable<Json>;
          points: number;
          redemption_id: string | null;
          referral_id: string | null;
          submission_id: string | null;
          system_account: string | null;
          transfer_id: number;
          trial_points: number | null;
          type: Database['public']['Enums']['transaction_type'];
          user_id: string | null;
          wallet_id: string | null;
        };
        ComputedFields: never;
        Relationships: [
          {
            foreignKeyName: 'entries_wallet_id_fkey';
            columns: ['wallet_id'];
            isOneToOne: false;
            referencedRelation: 'wallets';
            referencedColumns: ['id'];
          },
        ];
      };
    };
    Functions: {
      activate_subscription: {
        Args: {
          p_amount_cents: number;
          p_currency?: string;
          p_event_id: string;
          p_payment_ref: string;
          p_plan_id: string;
          p_price_cents?: number;
          p_startup_id: string;
        };
        Returns: Json;
      };
      add_reward_codes: {
        Args: { p_codes: string[]; p_reward_id: string };
        Returns: {
          added: number;
          repeated: number;
          stock: number;
        }[];
      };
      adjust_points: {
        Args: { p_idempotency_key: string; p_points: number; p_reason: string; p_wallet_id: string };
        Returns: {
          campaign_id: string | null;
          created_at: string;
          description: string;
          id: number;
          idempotency_key: string | null;
          kind: Database['public']['Enums']['transfer_kind'];
          metadata: NonNullable<Json>;
          points: number;
          redemption_id: string | null;
          referral_id: string | null;
          submission_id: string | null;
          trial_points: number | null;
        };
        SetofOptions: {
          from: '*';
          to: 'transfers';
          isOneToOne: true;
          isSetofReturn: false;
        };
      };
      admin_get_person: { Args: { p_user_id: string }; Returns: Json };
      admin_list_appeals: {
        Args: { p_cursor?: string; p_limit?: number; p_status?: string };
        Returns: {
          against_at: string;
          against_reason: string | null;
          campaign_id: string | null;
          campaign_title: string | null;
          created_at: string;
          cursor: string;
          decided_at: string | null;
          decided_by: string | null;
          decision_note: string | null;
          due_at: string;
          earlier_instructions_md: string | null;
          id: string;
          instructions_md: string | null;
          kind: Database['public']['Enums']['appeal_kind'];
          proof_text: string | null;
          proof_url: string | null;
          reward_points: number | null;
          startup_id: string | null;
          startup_name: string | null;
          status: Database['public']['Enums']['appeal_status'];
          submission_id: string | null;
          task_title: string | null;
          user_id: string;
          username: string | null;
          words: string;
        }[];
      };
      admin_list_audit: {
        Args: { p_cursor?: string; p_limit?: number; p_search?: string; p_subject_type?: string };
        Returns: {
          action: string;
          actor_id: string;
          actor_name: string | null;
          after: Json | null;
          before: Json | null;
          created_at: string;
          cursor: string;
          id: number;
          note: string | null;
          subject_id: string;
          subject_name: string | null;
          subject_type: string;
          subject_user_id: string | null;
          subject_username: string | null;
        }[];
      };
      admin_list_campaigns: {
        Args: {
          p_cursor?: string;
          p_limit?: number;
          p_search?: string;
          p_sort?: string;
          p_startup_id?: string;
          p_status?: string;
        };
        Returns: {
          approved_count: number;
          budget_points: number;
          created_at: string;
          cursor: string;
          held_at: string | null;
          hold_cause: Database['public']['Enums']['hold_cause'] | null;
          hold_reason: string | null;
          id: string;
          incentive_rules: string[];
          owner_user_id: string;
          pending_count: number;
          points_distributed: number;
          published_at: string | null;
          startup_id: string;
          startup_name: string;
          status: Database['public']['Enums']['campaign_status'];
          submission_count: number;
          title: string;
          total_slots: number;
        }[];
      };
      admin_list_feedback: {
        Args: {
          p_cursor?: string;
          p_limit?: number;
          p_search?: string;
          p_sort?: string;
          p_status?: string;
          p_type?: string;
        };
        Returns: {
          admin_notes: string | null;
          created_at: string;
          cursor: string;
          description: string;
          email: string | null;
          id: string;
          priority: string;
          rating: number | null;
          status: string;
          title: string;
          type: string;
          updated_at: string;
          user_id: string | null;
        }[];
      };
      admin_list_outbox: {
        Args: { p_cursor?: string; p_limit?: number; p_state?: string };
        Returns: {
          attempts: number;
          created_at: string;
          cursor: string;
          failed_at: string | null;
          id: number;
          last_error: string | null;
          next_attempt_at: string;
          payload: Json;
          processed_at: string | null;
          type: string;
          user_id: string | null;
          username: string | null;
        }[];
      };
      admin_list_redemptions: {
        Args: { p_cursor?: string; p_delivery?: string; p_limit?: number; p_search?: string; p_status?: string };
        Returns: {
          address: Json | null;
          cancelled_at: string | null;
          created_at: string;
          cursor: string;
          delivery: Database['public']['Enums']['reward_delivery'];
          email: string | null;
          flagged_points: number;
          fulfilled_at: string | null;
          handled_by: string | null;
          id: string;
          is_code_shown: boolean;
          is_suspended: boolean;
          note: string | null;
          points_cost: number;
          returns_to_stock: boolean;
          reward_id: string;
          reward_title: string;
          sources: Json | null;
          status: Database['public']['Enums']['redemption_status'];
          user_id: string;
          username: string | null;
        }[];
      };
      admin_list_returned_payments: {
        Args: { p_cursor?: string; p_limit?: number; p_state?: string };
        Returns: {
          amount_cents: number;
          available_points: number;
          created_at: string;
          cursor: string;
          id: string;
          missing_points: number;
          owner_name: string | null;
          owner_user_id: string;
          payment_ref: string;
          points: number;
          startup_id: string | null;
          startup_name: string | null;
          status: Database['public']['Enums']['purchase_status'];
          updated_at: string;
          written_off_at: string | null;
        }[];
      };
      admin_list_startups: {
        Args: {
          p_cursor?: string;
          p_limit?: number;
          p_search?: string;
          p_sort?: string;
          p_startup_id?: string;
          p_status?: string;
        };
        Returns: {
          campaign_count: number;
          changed_at: string | null;
          changed_from: Json | null;
          checked_at: string | null;
          created_at: string;
          cursor: string;
          description: string | null;
          former_name: string | null;
          has_subscription: boolean;
          id: string;
          industry: string;
          logo_url: string | null;
          name: string;
          owner_deleted_at: string | null;
          owner_email: string | null;
          owner_user_id: string;
          review_note: string | null;
          reviewed_at: string | null;
          reviewed_by: string | null;
          revoked_at: string | null;
          status: Database['public']['Enums']['startup_status'];
          suspended_at: string | null;
          website: string | null;
        }[];
      };
      admin_list_submissions: {
        Args: { p_cursor?: string; p_limit?: number; p_search?: string; p_sort?: string; p_status?: string };
        Returns: {
          campaign_id: string;
          campaign_title: string;
          cursor: string;
          flags: Json;
          id: string;
          obstacle: string | null;
          participant_email: string | null;
          proof_text: string | null;
          proof_url: string | null;
          rejection_reason: Database['public']['Enums']['rejection_reason'] | null;
          review_due_at: string | null;
          review_note: string | null;
          reviewed_at: string | null;
          reviewed_by: string | null;
          reward_points: number;
          status: Database['public']['Enums']['submission_status'];
          submitted_at: string;
          task_title: string;
          user_id: string;
          username: string | null;
        }[];
      };
      admin_list_subscribers: {
        Args: { p_cursor?: string; p_limit?: number; p_search?: string; p_sort?: string; p_status?: string };
        Returns: {
          campaign_id: string | null;
          cursor: string;
          email: string;
          id: string;
          is_active: boolean;
          source: string;
          status: string;
          subscribed_at: string;
          unsubscribed_at: string | null;
          user_id: string | null;
        }[];
      };
      admin_list_users: {
        Args: { p_cursor?: string; p_limit?: number; p_search?: string; p_sort?: string };
        Returns: {
          created_at: string;
          cursor: string;
          display_name: string | null;
          email: string | null;
          id: string;
          lifetime_points: number;
          og_badge: boolean;
          points: number;
          role: Database['public']['Enums']['user_role'];
          suspended_at: string | null;
          suspension_reason: string | null;
          user_id: string;
          username: string;
        }[];
      };
      admin_search: {
        Args: { p_search: string };
        Returns: {
          detail: string | null;
          id: string;
          kind: string;
          status: string | null;
          title: string;
        }[];
      };
      admit_mail: { Args: { p_email: string; p_event_id?: number }; Returns: string };
      anonymise_user: { Args: { p_user_id: string }; Returns: undefined };
      authorize_proof_link: { Args: { p_path: string }; Returns: string };
      begin_check: {
        Args: { p_task_id: string; p_user_id: string };
        Returns: {
          source: string;
          target: string;
          token: string;
        }[];
      };
      check_incentives: {
        Args: { p_instructions: string; p_title: string };
        Returns: {
          alternative: string;
          alternative_title: string;
          id: string;
          is_forbidden: boolean;
          place: string;
          rule: string;
          source_date: string;
          source_url: string;
        }[];
      };
      check_user_quest_completion: { Args: { p_user_id: string }; Returns: Json };
      claim_logo_imports: {
        Args: { p_limit?: number };
        Returns: {
          owner_user_id: string;
          startup_id: string;
          url: string;
        }[];
      };
      claim_orphaned_files: {
        Args: { p_after_bucket?: string; p_after_path?: string; p_limit?: number; p_min_age?: string };
        Returns: {
          bucket: string;
          is_orphan: boolean;
          path: string;
        }[];
      };
      claim_outbox_events: {
        Args: { p_event_id?: number; p_lease_seconds?: number; p_limit?: number };
        Returns: {
          attempt: number;
          email: string | null;
          id: number;
          payload: Json;
          type: string;
        }[];
      };
      close_campaign: {
        Args: { p_campaign_id: string };
        Returns: {
          approved_count: number;
          budget_cash_cents: number;
          budget_points: number;
          closed_at: string | null;
          collect_emails: boolean;
          created_at: string;
          custom_reward_description: string | null;
          custom_reward_title: string | null;
          details_md: string;
          email_collection_purpose: string | null;
          ends_at: string | null;
          held_at: string | null;
          held_by: string | null;
          hold_cause: Database['public']['Enums']['hold_cause'] | null;
          hold_reason: string | null;
          id: string;
          is_full: boolean | null;
          kept_count: number;
          median_minutes: number | null;
          open_reward_points: number;
          open_slots: number | null;
          participant_count: number;
          pending_count: number;
          points_distributed: number;
          published_at: string | null;
          review_hours: number;
          starts_at: string | null;
          startup_id: string;
          status: Database['public']['Enums']['campaign_status'];
          status_before_hold: Database['public']['Enums']['campaign_status'] | null;
          submission_count: number;
          summary: string;
          task_count: number;
          title: string;
          total_slots: number;
          updated_at: string;
        };
        SetofOptions: {
          from: '*';
          to: 'campaigns';
          isOneToOne: true;
          isSetofReturn: false;
        };
      };
      complete_logo_import: { Args: { p_path: string; p_startup_id: string; p_url: string }; Returns: boolean };
      complete_outbox_event: { Args: { p_event_id: number }; Returns: undefined };
      complete_task_by_call: {
        Args: { p_call_id: string; p_startup_id: string; p_token: string };
        Returns: {
          code: string;
          message: string;
          status: number;
        }[];
      };
      confirm_mailing_list_subscription: { Args: { p_token: string }; Returns: undefined };
      confirm_startup_change: {
        Args: { p_startup_id: string };
        Returns: {
          changed_at: string | null;
          changed_from: Json | null;
          checked_at: string | null;
          created_at: string;
          description: string | null;
          former_name: string | null;
          id: string;
          industry: string;
          is_public: boolean;
          logo_url: string | null;
          name: string;
          owner_email: string | null;
          owner_user_id: string;
          renamed_at: string | null;
          review_note: string | null;
          reviewed_at: string | null;
          reviewed_by: string | null;
          revoked_at: string | null;
          status: Database['public']['Enums']['startup_status'];
          suspended_at: string | null;
          updated_at: string;
          website: string | null;
        };
        SetofOptions: {
          from: '*';
          to: 'startup_profiles';
          isOneToOne: true;
          isSetofReturn: false;
        };
      };
      count_public_pages: {
        Args: Record<PropertyKey, never>;
        Returns: {
          projects: number;
          quests: number;
        }[];
      };
      create_quest: {
        Args: { p_campaign: Json; p_idempotency_key?: string; p_publish?: boolean; p_startup_id: string; p_task: Json };
        Returns: {
          approved_count: number;
          budget_cash_cents: number;
          budget_points: number;
          closed_at: string | null;
          collect_emails: boolean;
          created_at: string;
          custom_reward_description: string | null;
          custom_reward_title: string | null;
          details_md: string;
          email_collection_purpose: string | null;
          ends_at: string | null;
          held_at: string | null;
          held_by: string | null;
          hold_cause: Database['public']['Enums']['hold_cause'] | null;
          hold_reason: string | null;
          id: string;
          is_full: boolean | null;
          kept_count: number;
          median_minutes: number | null;
          open_reward_points: number;
          open_slots: number | null;
          participant_count: number;
          pending_count: number;
          points_distributed: number;
          published_at: string | null;
          review_hours: number;
          starts_at: string | null;
          startup_id: string;
          status: Database['public']['Enums']['campaign_status'];
          status_before_hold: Database['public']['Enums']['campaign_status'] | null;
          submission_count: number;
          summary: string;
          task_count: number;
          title: string;
          total_slots: number;
          updated_at: string;
        };
        SetofOptions: {
          from: '*';
          to: 'campaigns';
          isOneToOne: true;
          isSetofReturn: false;
        };
      };
      create_signing_secret: { Args: { p_startup_id: string }; Returns: string };
      create_startup_profile: {
        Args: { p_description?: string; p_industry?: string; p_logo_url?: string; p_name: string; p_website?: string };
        Returns: {
          changed_at: string | null;
          changed_from: Json | null;
          checked_at: string | null;
          created_at: string;
          description: string | null;
          former_name: string | null;
          id: string;
          industry: string;
          is_public: boolean;
          logo_url: string | null;
          name: string;
          owner_email: string | null;
          owner_user_id: string;
          renamed_at: string | null;
          review_note: string | null;
          reviewed_at: string | null;
          reviewed_by: string | null;
          revoked_at: string | null;
          status: Database['public']['Enums']['startup_status'];
          suspended_at: string | null;
          updated_at: string;
          website: string | null;
        };
        SetofOptions: {
          from: '*';
          to: 'startup_profiles';
          isOneToOne: true;
          isSetofReturn: false;
        };
      };
      create_user_referral_code: {
        Args: Record<PropertyKey, never>;
        Returns: {
          clicks: number;
          code: string;
          created_at: string;
          id: string;
          is_active: boolean;
          successful_referrals: number;
          total_rewards_earned: number;
          user_id: string;
        };
        SetofOptions: {
          from: '*';
          to: 'referral_codes';
          isOneToOne: true;
          isSetofReturn: false;
        };
      };
      credit_point_purchase: {
        Args: {
          p_amount_cents: number;
          p_currency?: string;
          p_event_id: string;
          p_pack_id: string;
          p_payment_ref: string;
          p_points: number;
          p_price_cents: number;
          p_startup_id: string;
        };
        Returns: Json;
      };
      credit_points_safe: {
        Args: {
          p_description: string;
          p_idempotency_key?: string;
          p_metadata?: Json;
          p_points: number;
          p_user_id: string;
        };
        Returns: number;
      };
      current_user_id: { Args: Record<PropertyKey, never>; Returns: string };
      debit_points_safe: {
        Args: {
          p_description: string;
          p_idempotency_key?: string;
          p_metadata?: Json;
          p_points: number;
          p_user_id: string;
        };
        Returns: number;
      };
      decide_appeal: {
        Args: { p_appeal_id: string; p_decision: string; p_note: string };
        Returns: {
          against_at: string;
          against_reason: string | null;
          created_at: string;
          decided_at: string | null;
          decided_by: string | null;
          decision_note: string | null;
          due_at: string;
          id: string;
          kind: Database['public']['Enums']['appeal_kind'];
          startup_id: string | null;
          status: Database['public']['Enums']['appeal_status'];
          submission_id: string | null;
          user_id: string;
          words: string;
        };
        SetofOptions: {
          from: '*';
          to: 'appeals';
          isOneToOne: true;
          isSetofReturn: false;
        };
      };
      delete_campaign: { Args: { p_approve_waiting?: boolean; p_campaign_id: string }; Returns: undefined };
      delete_reward: { Args: { p_reward_id: string }; Returns: undefined };
      delete_startup_profile: { Args: { p_startup_id: string }; Returns: undefined };
      dismiss_submission_flag: {
        Args: { p_flag_id: string; p_reason: string };
        Returns: {
          campaign_id: string;
          created_at: string;
          dismissal_reason: string | null;
          dismissed_at: string | null;
          dismissed_by: string | null;
          evidence: NonNullable<Json>;
          id: string;
          kind: string;
          submission_id: string;
          twin_submission_id: string | null;
          user_id: string;
        };
        SetofOptions: {
          from: '*';
          to: 'submission_flags';
          isOneToOne: true;
          isSetofReturn: false;
        };
      };
      duplicate_campaign: {
        Args: { p_campaign_id: string; p_idempotency_key?: string };
        Returns: {
          approved_count: number;
          budget_cash_cents: number;
          budget_points: number;
          closed_at: string | null;
          collect_emails: boolean;
          created_at: string;
          custom_reward_description: string | null;
          custom_reward_title: string | null;
          details_md: string;
          email_collection_purpose: string | null;
          ends_at: string | null;
          held_at: string | null;
          held_by: string | null;
          hold_cause: Database['public']['Enums']['hold_cause'] | null;
          hold_reason: string | null;
          id: string;
          is_full: boolean | null;
          kept_count: number;
          median_minutes: number | null;
          open_reward_points: number;
          open_slots: number | null;
          participant_count: number;
          pending_count: number;
          points_distributed: number;
          published_at: string | null;
          review_hours: number;
          starts_at: string | null;
          startup_id: string;
          status: Database['public']['Enums']['campaign_status'];
          status_before_hold: Database['public']['Enums']['campaign_status'] | null;
          submission_count: number;
          summary: string;
          task_count: number;
          title: string;
          total_slots: number;
          updated_at: string;
        };
        SetofOptions: {
          from: '*';
          to: 'campaigns';
          isOneToOne: true;
          isSetofReturn: false;
        };
      };
      end_payment: {
        Args: { p_dispute_ref?: string; p_event_id: string; p_payment_ref: string; p_status: string };
        Returns: Json;
      };
      export_data: { Args: Record<PropertyKey, never>; Returns: Json };
      fail_outbox_event: {
        Args: {
          p_attempt: number;
          p_error: string;
          p_event_id: number;
          p_kind?: string;
          p_retry_after_seconds?: number;
        };
        Returns: undefined;
      };
      finish_check: {
        Args: { p_actions?: string[]; p_problem?: string; p_task_id: string; p_user_id: string };
        Returns: {
          code: string;
          message: string;
          status: number;
        }[];
      };
      flags: {
        Args: { '': Database['public']['Tables']['submissions']['Row'] };
        Returns: {
          error: true;
        } & 'the function public.flags with parameter or with a single unnamed json/jsonb parameter, but no matches were found in the schema cache';
      };
      fulfil_redemptions: {
        Args: { p_note?: string; p_redemption_ids: string[] };
        Returns: {
          outcome: string;
          redemption_id: string;
        }[];
      };
      get_admin_referral_stats: { Args: Record<PropertyKey, never>; Returns: Json };
      get_admin_todo: { Args: Record<PropertyKey, never>; Returns: Json };
      get_appeal_figures: {
        Args: Record<PropertyKey, never>;
        Returns: {
          decided: number;
          decided_in_time: number;
          median_seconds: number | null;
          open: number;
          overdue: number;
          overturned: number;
        }[];
      };
      get_available_quests_for_new_user: {
        Args: { p_limit?: number; p_user_id: string };
        Returns: {
          campaign_id: string;
          campaign_title: string;
          instructions: string;
          max_completions: number;
          requires_proof: boolean;
          reward_points: number;
          startup_logo: string | null;
          startup_name: string;
          task_id: string;
          title: string;
        }[];
      };
      get_beta_feedback_stats: { Args: Record<PropertyKey, never>; Returns: Json };
      get_caller_address: { Args: { p_headers: Json }; Returns: unknown };
      get_campaign_performance_stats: { Args: { p_campaign_id: string }; Returns: Json };
      get_confirmation_token: { Args: { p_email: string }; Returns: string };
      get_consent_statement: { Args: { p_campaign_id: string }; Returns: string };
      get_deployment_report: { Args: Record<PropertyKey, never>; Returns: Json };
      get_health: { Args: Record<PropertyKey, never>; Returns: Json };
      get_leaderboard: {
        Args: { p_limit?: number; p_period?: string };
        Returns: {
          display_name: string;
          is_self: boolean;
          rank: number;
          total_points: number;
          user_id: string | null;
          username: string;
        }[];
      };
      get_mailing_list_stats: { Args: Record<PropertyKey, never>; Returns: Json };
      get_member_profile: {
        Args: { p_handle: string };
        Returns: {
          badges: Json;
          best_weeks: number;
          display_name: string;
          handle: string;
          lifetime_points: number;
          member_since: string;
          projects_helped: number;
          streak_weeks: number;
          tasks_done: number;
        }[];
      };
      get_notification_preferences: {
        Args: Record<PropertyKey, never>;
        Returns: {
          is_mailed: boolean;
          kind: Database['public']['Enums']['notification_kind'];
        }[];
      };
      get_og_slots: {
        Args: Record<PropertyKey, never>;
        Returns: {
          remaining_slots: number;
          total_slots: number;
        }[];
      };
      get_own_data: { Args: Record<PropertyKey, never>; Returns: Json };
      get_own_project_feedback: {
        Args: { p_project_id: string };
        Returns: {
          created_at: string;
          feedback_text: string;
          id: string;
          project_id: string;
          rating: number;
          updated_at: string;
          user_id: string;
        }[];
        SetofOptions: {
          from: '*';
          to: 'project_feedback';
          isOneToOne: false;
          isSetofReturn: true;
        };
      };
      get_own_quest_states: {
        Args: Record<PropertyKey, never>;
        Returns: {
          campaign_id: string;
          state: string;
        }[];
      };
      get_own_rank: {
        Args: { p_period?: string };
        Returns: {
          rank: number;
          total_points: number;
        }[];
      };
      get_own_startup: {
        Args: Record<PropertyKey, never>;
        Returns: {
          changed_at: string | null;
          changed_from: Json | null;
          checked_at: string | null;
          created_at: string;
          description: string | null;
          former_name: string | null;
          id: string;
          industry: string;
          is_public: boolean;
          logo_url: string | null;
          name: string;
          owner_email: string | null;
          owner_user_id: string;
          renamed_at: string | null;
          review_note: string | null;
          reviewed_at: string | null;
          reviewed_by: string | null;
          revoked_at: string | null;
          status: Database['public']['Enums']['startup_status'];
          suspended_at: string | null;
          updated_at: string;
          website: string | null;
        }[];
        SetofOptions: {
          from: '*';
          to: 'startup_profiles';
          isOneToOne: false;
          isSetofReturn: true;
        };
      };
      get_own_streak: {
        Args: Record<PropertyKey, never>;
        Returns: {
          best_weeks: number;
          has_freeze: boolean;
          is_active_this_week: boolean;
          is_freeze_in_use: boolean;
          weeks: number;
        }[];
      };
      get_pack_terms: {
        Args: { p_expected_cents?: number; p_pack_id: string; p_startup_id: string; p_user_id: string };
        Returns: Json;
      };
      get_page_facts: {
        Args: { p_key?: string; p_kind: string };
        Returns: {
          description: string | null;
          is_listed: boolean;
          key: string | null;
          level: number | null;
          logo_url: string | null;
          max_participants: number | null;
          open_quests: number | null;
          preview: string | null;
          project_id: string | null;
          project_name: string | null;
          review_hours: number | null;
          reward_points: number | null;
          reward_title: string | null;
          state: string;
          summary: string | null;
          task_count: number | null;
          title: string | null;
        }[];
      };
      get_participated_quest: {
        Args: { p_campaign_id: string };
        Returns: {
          approved_count: number;
          budget_cash_cents: number;
          budget_points: number;
          closed_at: string | null;
          collect_emails: boolean;
          created_at: string;
          custom_reward_description: string | null;
          custom_reward_title: string | null;
          details_md: string;
          email_collection_purpose: string | null;
          ends_at: string | null;
          held_at: string | null;
          held_by: string | null;
          hold_cause: Database['public']['Enums']['hold_cause'] | null;
          hold_reason: string | null;
          id: string;
          is_full: boolean | null;
          kept_count: number;
          median_minutes: number | null;
          open_reward_points: number;
          open_slots: number | null;
          participant_count: number;
          pending_count: number;
          points_distributed: number;
          published_at: string | null;
          review_hours: number;
          starts_at: string | null;
          startup_id: string;
          status: Database['public']['Enums']['campaign_status'];
          status_before_hold: Database['public']['Enums']['campaign_status'] | null;
          submission_count: number;
          summary: string;
          task_count: number;
          title: string;
          total_slots: number;
          updated_at: string;
        }[];
        SetofOptions: {
          from: '*';
          to: 'campaigns';
          isOneToOne: false;
          isSetofReturn: true;
        };
      };
      get_participated_tasks: {
        Args: { p_campaign_id: string };
        Returns: {
          approved_count: number;
          auto_verify: boolean;
          campaign_id: string;
          created_at: string;
          id: string;
          incentive_rules: string[];
          instructions_md: string;
          kept_count: number;
          kept_points: number;
          link_url: string | null;
          max_completions: number;
          order_index: number;
          pending_count: number;
          pending_points: number;
          proof_type: Database['public']['Enums']['proof_type'];
          raised_points: number;
          requires_proof: boolean;
          reward_points: number;
          title: string;
          type: Database['public']['Enums']['task_type'];
          verification: Database['public']['Enums']['task_verification'];
        }[];
        SetofOptions: {
          from: '*';
          to: 'tasks';
          isOneToOne: false;
          isSetofReturn: true;
        };
      };
      get_platform_stats: { Args: { p_days?: number }; Returns: Json };
      get_points_transfer_stats: { Args: Record<PropertyKey, never>; Returns: Json };
      get_project_feedback_stats: {
        Args: { p_project_id: string };
        Returns: {
          average_rating: number;
          rating_distribution: Json;
          total_reviews: number;
        }[];
      };
      get_project_history: {
        Args: { p_startup_id: string };
        Returns: {
          campaign_id: string | null;
          decided_at: string;
          decided_by: string;
          decision: string;
          id: number;
          project_name: string;
          reason: string | null;
          startup_id: string;
        }[];
      };
      get_project_payouts: {
        Args: Record<PropertyKey, never>;
        Returns: {
          day: string;
          points: number;
        }[];
      };
      get_project_points: {
        Args: Record<PropertyKey, never>;
        Returns: {
          bought: number;
          free: number;
          granted: number;
          other: number;
          paid: number;
          reserved: number;
        }[];
      };
      get_project_promises: {
        Args: { p_startup_id: string };
        Returns: {
          accepted: number | null;
          decided: number | null;
          in_time: number | null;
          least_review_hours: number | null;
          median_seconds: number | null;
          most_review_hours: number | null;
          overturned: number | null;
          reserved_points: number;
        }[];
      };
      get_quest_by_key: {
        Args: { p_idempotency_key: string };
        Returns: {
          approved_count: number;
          budget_cash_cents: number;
          budget_points: number;
          closed_at: string | null;
          collect_emails: boolean;
          created_at: string;
          custom_reward_description: string | null;
          custom_reward_title: string | null;
          details_md: string;
          email_collection_purpose: string | null;
          ends_at: string | null;
          held_at: string | null;
          held_by: string | null;
          hold_cause: Database['public']['Enums']['hold_cause'] | null;
          hold_reason: string | null;
          id: string;
          is_full: boolean | null;
          kept_count: number;
          median_minutes: number | null;
          open_reward_points: number;
          open_slots: number | null;
          participant_count: number;
          pending_count: number;
          points_distributed: number;
          published_at: string | null;
          review_hours: number;
          starts_at: string | null;
          startup_id: string;
          status: Database['public']['Enums']['campaign_status'];
          status_before_hold: Database['public']['Enums']['campaign_status'] | null;
          submission_count: number;
          summary: string;
          task_count: number;
          title: string;
          total_slots: number;
          updated_at: string;
        }[];
        SetofOptions: {
          from: '*';
          to: 'campaigns';
          isOneToOne: false;
          isSetofReturn: true;
        };
      };
      get_quest_completion_stats: {
        Args: { p_campaign_ids: string[] };
        Returns: {
          available_slots: number;
          campaign_id: string;
          completed_slots: number;
          is_quest_full: boolean;
          total_slots: number;
        }[];
      };
      get_quest_limits: {
        Args: Record<PropertyKey, never>;
        Returns: {
          bought_points: number;
          budget_limit: number | null;
          budget_used: number;
          has_plan: boolean;
          quest_count: number;
          quest_limit: number | null;
          reward_limit: number;
        }[];
      };
      get_recent_activity: {
        Args: { p_days?: number };
        Returns: {
          at: string;
          detail: string;
          id: string;
          kind: string;
          status: string;
          title: string;
        }[];
      };
      get_redemption_code: { Args: { p_redemption_id: string }; Returns: string };
      get_redemption_sources: {
        Args: { p_redemption_id: string };
        Returns: {
          campaign_id: string | null;
          campaign_title: string | null;
          flagged_points: number;
          flags: string[];
          kind: Database['public']['Enums']['transfer_kind'];
          points: number;
          related_points: number;
          startup_id: string | null;
          startup_name: string | null;
          trial_points: number;
        }[];
      };
      get_referral_greeting: { Args: { p_code: string }; Returns: Record<string, unknown> };
      get_referral_system_health: {
        Args: Record<PropertyKey, never>;
        Returns: {
          failed_referrals: number;
          health_score: number;
          users_without_codes: number;
        }[];
      };
      get_review_counts: {
        Args: Record<PropertyKey, never>;
        Returns: {
          approved_count: number;
          campaign_id: string;
          flagged_count: number;
          next_due_at: string | null;
          pending_count: number;
          quest_status: Database['public']['Enums']['campaign_status'];
          rejected_count: number;
          title: string;
        }[];
      };
      get_reward_by_key: {
        Args: { p_idempotency_key: string };
        Returns: {
          cash_value_cents: number | null;
          created_at: string;
          delivery: Database['public']['Enums']['reward_delivery'];
          description: string;
          id: string;
          image_url: string | null;
          is_active: boolean;
          points_cost: number;
          stock_quantity: number | null;
          title: string;
          updated_at: string;
        }[];
        SetofOptions: {
          from: '*';
          to: 'rewards';
          isOneToOne: false;
          isSetofReturn: true;
        };
      };
      get_signing_secrets: { Args: { p_startup_id: string }; Returns: string[] };
      get_site_stats: {
        Args: Record<PropertyKey, never>;
        Returns: {
          active_campaigns: number;
          total_members: number;
          total_rewards_paid: number;
          verified_startups: number;
        }[];
      };
      get_stored_file: { Args: { p_bucket: string; p_path: string }; Returns: Json };
      get_system_health: { Args: Record<PropertyKey, never>; Returns: Json };
      get_task_completion_counts: {
        Args: { p_task_ids: string[] };
        Returns: {
          completions: number;
          kept: number;
          pending: number;
          remaining_slots: number;
          task_id: string;
        }[];
      };
      get_task_verifications: {
        Args: { p_campaign_id: string };
        Returns: {
          check_source: string | null;
          check_target: string | null;
          codes_left: number;
          codes_used: number;
          has_shared_code: boolean;
          task_id: string;
        }[];
      };
      get_unread_notification_count: { Args: Record<PropertyKey, never>; Returns: number };
      get_unsubscribe_token: { Args: { p_email: string }; Returns: string };
      get_user_email_by_clerk_id: { Args: { p_user_id: string }; Returns: string };
      get_user_referral_stats: {
        Args: { p_user_id: string };
        Returns: {
          can_be_referred: boolean;
          clicks: number;
          code_active: boolean;
          held_points: number;
          referral_code: string | null;
          successful_referrals: number;
          total_points_earned: number;
          total_referrals: number;
        }[];
      };
      is_flagged: {
        Args: { '': Database['public']['Tables']['submissions']['Row'] };
        Returns: {
          error: true;
        } & 'the function public.is_flagged with parameter or with a single unnamed json/jsonb parameter, but no matches were found in the schema cache';
      };
      is_opted_out: { Args: { p_email: string }; Returns: boolean };
      lift_campaign_hold: {
        Args: { p_campaign_id: string };
        Returns: {
          approved_count: number;
          budget_cash_cents: number;
          budget_points: number;
          closed_at: string | null;
          collect_emails: boolean;
          created_at: string;
          custom_reward_description: string | null;
          custom_reward_title: string | null;
          details_md: string;
          email_collection_purpose: string | null;
          ends_at: string | null;
          held_at: string | null;
          held_by: string | null;
          hold_cause: Database['public']['Enums']['hold_cause'] | null;
          hold_reason: string | null;
          id: string;
          is_full: boolean | null;
          kept_count: number;
          median_minutes: number | null;
          open_reward_points: number;
          open_slots: number | null;
          participant_count: number;
          pending_count: number;
          points_distributed: number;
          published_at: string | null;
          review_hours: number;
          starts_at: string | null;
          startup_id: string;
          status: Database['public']['Enums']['campaign_status'];
          status_before_hold: Database['public']['Enums']['campaign_status'] | null;
          submission_count: number;
          summary: string;
          task_count: number;
          title: string;
          total_slots: number;
          updated_at: string;
        };
        SetofOptions: {
          from: '*';
          to: 'campaigns';
          isOneToOne: true;
          isSetofReturn: false;
        };
      };
      lift_suspension: {
        Args: { p_note?: string; p_user_id: string };
        Returns: {
          avatar_url: string | null;
          created_at: string;
          display_name: string | null;
          email: string | null;
          id: string;
          interests: string[];
          masked_name: string | null;
          masked_username: string | null;
          og_badge: boolean;
          provider_changed_at: string | null;
          role: Database['public']['Enums']['user_role'];
          suspended_at: string | null;
          suspension_reason: string | null;
          updated_at: string;
          user_id: string;
          username: string;
          verified_socials: NonNullable<Json>;
          welcome_email_sent_at: string | null;
        };
        SetofOptions: {
          from: '*';
          to: 'user_profiles';
          isOneToOne: true;
          isSetofReturn: false;
        };
      };
      list_collected_emails: {
        Args: { p_campaign_id: string; p_cursor?: string; p_limit?: number };
        Returns: {
          collected_at: string;
          cursor: string;
          email: string;
          id: string;
        }[];
      };
      list_followed_projects: {
        Args: { p_cursor?: string; p_limit?: number };
        Returns: {
          cursor: string;
          id: string;
          industry: string;
          logo_url: string | null;
          name: string;
        }[];
      };
      list_my_quests: {
        Args: { p_cursor?: string; p_limit?: number; p_states?: string[] };
        Returns: {
          approved_count: number;
          campaign_id: string;
          can_continue: boolean;
          cursor: string;
          last_activity_at: string;
          points_earned: number;
          startup_id: string;
          startup_logo_url: string | null;
          startup_name: string;
          state: string;
          submissions: Json;
          task_count: number;
          title: string;
        }[];
      };
      list_notifications: {
        Args: { p_cursor?: string; p_limit?: number; p_only_unread?: boolean };
        Returns: {
          created_at: string;
          cursor: string;
          data: Json;
          id: number;
          kind: Database['public']['Enums']['notification_kind'];
          read_at: string | null;
          type: string;
          waiting: number | null;
        }[];
      };
      list_own_payments: {
        Args: { p_cursor?: string; p_limit?: number };
        Returns: {
          amount_cents: number;
          created_at: string;
          credited_points: number | null;
          currency: string;
          cursor: string;
          id: string;
          is_unused: boolean;
          points: number | null;
          product_id: string;
          receipt_url: string | null;
          status: string;
        }[];
      };
      list_own_quests: {
        Args: { p_cursor?: string; p_limit?: number };
        Returns: {
          approved_count: number;
          budget_points: number;
          closed_at: string | null;
          created_at: string;
          cursor: string;
          daily_submissions: number[];
          email_count: number;
          ends_at: string | null;
          held_at: string | null;
          hold_cause: Database['public']['Enums']['hold_cause'] | null;
          hold_reason: string | null;
          id: string;
          is_full: boolean;
          open_slots: number;
          participant_count: number;
          pending_count: number;
          points_distributed: number;
          points_taken_back_at: string | null;
          published_at: string | null;
          reserved_points: number;
          reward_points: number;
          starts_at: string | null;
          startup_id: string;
          status: Database['public']['Enums']['campaign_status'];
          submission_count: number;
          summary: string;
          task_count: number;
          title: string;
          total_slots: number;
        }[];
      };
      list_own_referrals: {
        Args: { p_limit?: number };
        Returns: {
          created_at: string;
          held_points: number;
          id: string;
          points: number;
          status: Database['public']['Enums']['referral_status'];
        }[];
      };
      list_own_transactions: {
        Args: { p_cursor?: string; p_limit?: number; p_view?: string };
        Returns: {
          balance_after: number;
          campaign_id: string | null;
          campaign_title: string | null;
          change: number;
          created_at: string;
          cursor: string;
          description: string;
          held_points: number;
          id: number;
          kind: Database['public']['Enums']['transfer_kind'];
          proof_text: string | null;
          proof_url: string | null;
          redemption_id: string | null;
          redemption_status: Database['public']['Enums']['redemption_status'] | null;
          referral_id: string | null;
          reviewed_at: string | null;
          reviewed_by: string | null;
          startup_name: string | null;
          submission_id: string | null;
          submission_status: Database['public']['Enums']['submission_status'] | null;
          task_title: string | null;
        }[];
      };
      list_periodic_jobs: { Args: Record<PropertyKey, never>; Returns: string[] };
      list_project_feedback: {
        Args: { p_cursor?: string; p_limit?: number; p_project_id: string };
        Returns: {
          created_at: string;
          cursor: string;
          feedback_text: string;
          id: string;
          rating: number;
          updated_at: string;
        }[];
      };
      list_project_transactions: {
        Args: { p_campaign_id?: string; p_cursor?: string; p_limit?: number; p_view?: string };
        Returns: {
          campaign_id: string | null;
          campaign_title: string | null;
          change: number;
          created_at: string;
          cursor: string;
          description: string;
          free_after: number;
          free_change: number;
          id: number;
          kind: Database['public']['Enums']['transfer_kind'];
          member_name: string | null;
          reserved_after: number;
          reserved_change: number;
          reviewed_at: string | null;
          reviewed_by: string | null;
          submission_id: string | null;
          submission_status: Database['public']['Enums']['submission_status'] | null;
          task_title: string | null;
        }[];
      };
      list_public_pages: { Args: { p_kind: string; p_page?: number; p_size?: number }; Returns: Json };
      list_published_quests: {
        Args: {
          p_cursor?: string;
          p_industry?: string;
          p_limit?: number;
          p_max_minutes?: number;
          p_max_reward?: number;
          p_min_minutes?: number;
          p_min_reward?: number;
          p_only_one_press?: boolean;
          p_only_open?: boolean;
          p_proof?: string;
          p_search?: string;
          p_sort?: string;
          p_startup_id?: string;
          p_view?: string;
        };
        Returns: {
          accepted: number | null;
          budget_points: number;
          collect_emails: boolean;
          created_at: string;
          cursor: string;
          custom_reward_description: string | null;
          custom_reward_title: string | null;
          decided: number | null;
          ends_at: string | null;
          id: string;
          is_full: boolean;
          median_minutes: number | null;
          median_seconds: number | null;
          open_slots: number;
          overturned: number | null;
          published_at: string;
          reserved_points: number;
          review_hours: number | null;
          reward_points: number;
          startup_id: string;
          startup_logo_url: string | null;
          startup_name: string;
          startup_verified: boolean;
          summary: string;
          task_count: number;
          title: string;
          total_slots: number;
        }[];
      };
      list_review_submissions: {
        Args: {
          p_campaign_id?: string;
          p_cursor?: string;
          p_is_flagged?: boolean;
          p_limit?: number;
          p_search?: string;
          p_sort?: string;
          p_status?: string;
          p_task_id?: string;
        };
        Returns: {
          appeal_note: string | null;
          appealed_at: string | null;
          campaign_id: string;
          campaign_title: string;
          cursor: string;
          flags: Json;
          id: string;
          kept_until: string | null;
          member_name: string;
          participant_email: string | null;
          proof_text: string | null;
          proof_url: string | null;
          rejection_reason: Database['public']['Enums']['rejection_reason'] | null;
          review_due_at: string | null;
          review_note: string | null;
          reviewed_at: string | null;
          reviewed_by: string | null;
          reward_points: number;
          status: Database['public']['Enums']['submission_status'];
          submitted_at: string;
          task_id: string;
          task_points: number;
          task_title: string;
          user_id: string;
        }[];
      };
      list_saved_quests: {
        Args: { p_cursor?: string; p_limit?: number };
        Returns: {
          cursor: string;
          custom_reward_title: string | null;
          ends_at: string | null;
          id: string;
          is_full: boolean;
          open_slots: number;
          published_at: string;
          reward_points: number;
          startup_id: string;
          startup_logo_url: string | null;
          startup_name: string;
          startup_verified: boolean;
          summary: string;
          task_count: number;
          title: string;
          total_slots: number;
        }[];
      };
      list_signing_secrets: {
        Args: { p_startup_id: string };
        Returns: {
          created_at: string;
          id: string;
          last_characters: string;
        }[];
      };
      list_suggested_quests: {
        Args: { p_limit?: number };
        Returns: {
          custom_reward_title: string | null;
          ends_at: string | null;
          id: string;
          is_full: boolean;
          open_slots: number;
          published_at: string;
          reason: string;
          reason_subject: string | null;
          reward_points: number;
          startup_id: string;
          startup_logo_url: string | null;
          startup_name: string;
          startup_verified: boolean;
          summary: string;
          task_count: number;
          title: string;
          total_slots: number;
        }[];
      };
      list_transactions: {
        Args: { p_cursor?: string; p_limit?: number; p_wallet_id: string };
        Returns: {
          balance_after: number;
          campaign_id: string | null;
          created_at: string;
          cursor: string;
          description: string;
          id: number;
          is_reversed: boolean;
          kind: Database['public']['Enums']['transfer_kind'];
          points: number;
          redemption_id: string | null;
          referral_id: string | null;
          submission_id: string | null;
          transfer_id: number;
          type: Database['public']['Enums']['transaction_type'];
        }[];
      };
      list_verification_calls: {
        Args: { p_startup_id: string };
        Returns: {
          call_id: string | null;
          code: string;
          created_at: string;
          id: number;
          kind: string;
          message: string;
          status: number;
          task_title: string | null;
          token: string | null;
        }[];
      };
      mark_all_notifications_read: { Args: { p_up_to: number }; Returns: undefined };
      mark_notification_read: { Args: { p_notification_id: number }; Returns: undefined };
      mark_startup_checked: {
        Args: { p_note?: string; p_startup_id: string };
        Returns: {
          changed_at: string | null;
          changed_from: Json | null;
          checked_at: string | null;
          created_at: string;
          description: string | null;
          former_name: string | null;
          id: string;
          industry: string;
          is_public: boolean;
          logo_url: string | null;
          name: string;
          owner_email: string | null;
          owner_user_id: string;
          renamed_at: string | null;
          review_note: string | null;
          reviewed_at: string | null;
          reviewed_by: string | null;
          revoked_at: string | null;
          status: Database['public']['Enums']['startup_status'];
          suspended_at: string | null;
          updated_at: string;
          website: string | null;
        };
        SetofOptions: {
          from: '*';
          to: 'startup_profiles';
          isOneToOne: true;
          isSetofReturn: false;
        };
      };
      probe_row_ceiling: { Args: Record<PropertyKey, never>; Returns: number[] };
      process_referral_signup: {
        Args: { p_code: string; p_user_id: string };
        Returns: {
          completed_at: string | null;
          created_at: string;
          id: string;
          referral_code: string;
          referred_reward_points: number;
          referred_user_id: string;
          referrer_reward_points: number;
          referrer_user_id: string;
          rewarded_at: string | null;
          status: Database['public']['Enums']['referral_status'];
          updated_at: string;
        };
        SetofOptions: {
          from: '*';
          to: 'referrals';
          isOneToOne: true;
          isSetofReturn: false;
        };
      };
      publish_campaign: {
        Args: { p_campaign_id: string };
        Returns: {
          approved_count: number;
          budget_cash_cents: number;
          budget_points: number;
          closed_at: string | null;
          collect_emails: boolean;
          created_at: string;
          custom_reward_description: string | null;
          custom_reward_title: string | null;
          details_md: string;
          email_collection_purpose: string | null;
          ends_at: string | null;
          held_at: string | null;
          held_by: string | null;
          hold_cause: Database['public']['Enums']['hold_cause'] | null;
          hold_reason: string | null;
          id: string;
          is_full: boolean | null;
          kept_count: number;
          median_minutes: number | null;
          open_reward_points: number;
          open_slots: number | null;
          participant_count: number;
          pending_count: number;
          points_distributed: number;
          published_at: string | null;
          review_hours: number;
          starts_at: string | null;
          startup_id: string;
          status: Database['public']['Enums']['campaign_status'];
          status_before_hold: Database['public']['Enums']['campaign_status'] | null;
          submission_count: number;
          summary: string;
          task_count: number;
          title: string;
          total_slots: number;
          updated_at: string;
        };
        SetofOptions: {
          from: '*';
          to: 'campaigns';
          isOneToOne: true;
          isSetofReturn: false;
        };
      };
      rebuild_site_stats_cache: {
        Args: Record<PropertyKey, never>;
        Returns: {
          active_campaigns: number;
          total_members: number;
          total_rewards_paid: number;
          verified_startups: number;
        }[];
      };
      reconcile_ledger: {
        Args: Record<PropertyKey, never>;
        Returns: {
          actual: number;
          expected: number;
          problem: string;
          subject_id: string;
          subject_type: string;
        }[];
      };
      record_admin_export: { Args: { p_rows: number; p_what: string }; Returns: undefined };
      record_changed_email: { Args: { p_changed_at: string; p_email: string; p_user_id: string }; Returns: boolean };
      record_csp_report: {
        Args: { p_address: unknown; p_blocked: string; p_directive: string; p_page: string };
        Returns: boolean;
      };
      record_endpoint_test: { Args: { p_url: string; p_user_id: string }; Returns: undefined };
      record_payment_receipt: { Args: { p_payment_ref: string; p_receipt_url: string }; Returns: boolean };
      record_quest_view: { Args: { p_campaign_id: string }; Returns: undefined };
      record_verified_upload: {
        Args: {
          p_bucket: string;
          p_bytes: number;
          p_dhash: string;
          p_mime: string;
          p_object_id: string;
          p_path: string;
          p_sha256: string;
          p_version: string;
        };
        Returns: undefined;
      };
      redeem_reward_safe: {
        Args: { p_address?: Json; p_expected_cost?: number; p_idempotency_key: string; p_reward_id: string };
        Returns: {
          cancelled_at: string | null;
          created_at: string;
          delivery: Database['public']['Enums']['reward_delivery'];
          fulfilled_at: string | null;
          handled_by: string | null;
          id: string;
          idempotency_key: string;
          is_from_stock: boolean;
          note: string | null;
          points_cost: number;
          reward_id: string;
          reward_title: string;
          status: Database['public']['Enums']['redemption_status'];
          user_id: string;
        };
        SetofOptions: {
          from: '*';
          to: 'redemptions';
          isOneToOne: true;
          isSetofReturn: false;
        };
      };
      reinstate_payment: { Args: { p_dispute_ref: string; p_event_id: string; p_payment_ref: string }; Returns: Json };
      release_checkout_slot: { Args: { p_hold_id: string }; Returns: boolean };
      remove_reward_codes: { Args: { p_reward_id: string }; Returns: number };
      report_worker_run: { Args: { p_problem?: string; p_worker: string }; Returns: undefined };
      request_welcome_email: {
        Args: { p_first_name: string; p_is_startup: boolean; p_user_id: string };
        Returns: number;
      };
      requeue_failed_events: { Args: Record<PropertyKey, never>; Returns: number };
      requeue_outbox_event: {
        Args: { p_event_id: number };
        Returns: {
          actor_id: string | null;
          attempts: number;
          created_at: string;
          deferrals: number;
          deferred_since: string | null;
          failed_at: string | null;
          id: number;
          last_error: string | null;
          mail_admitted_at: string | null;
          next_attempt_at: string;
          payload: NonNullable<Json>;
          processed_at: string | null;
          type: string;
          uncertain_since: string | null;
          user_id: string | null;
        };
        SetofOptions: {
          from: '*';
          to: 'outbox_events';
          isOneToOne: true;
          isSetofReturn: false;
        };
      };
      reserve_checkout_slot: {
        Args: { p_expected_cents?: number; p_plan_id: string; p_startup_id: string; p_user_id: string };
        Returns: Json;
      };
      restore_admin: { Args: { p_reason: string; p_user_id: string }; Returns: undefined };
      reverse_submission: {
        Args: { p_note: string; p_submission_id: string };
        Returns: {
          appealed_at: string | null;
          campaign_id: string;
          created_at: string;
          id: string;
          is_slot_reopened: boolean;
          kept_until: string | null;
          participant_email: string | null;
          proof_text: string | null;
          proof_url: string | null;
          rejection_reason: Database['public']['Enums']['rejection_reason'] | null;
          review_check_at: string | null;
          review_due_at: string | null;
          review_note: string | null;
          reviewed_at: string | null;
          reviewed_by: string | null;
          reward_points: number;
          status: Database['public']['Enums']['submission_status'];
          submitted_at: string;
          task_id: string;
          user_id: string;
        };
        SetofOptions: {
          from: '*';
          to: 'submissions';
          isOneToOne: true;
          isSetofReturn: false;
        };
      };
      reverse_transfer: {
        Args: { p_note: string; p_transfer_id: number };
        Returns: {
          campaign_id: string | null;
          created_at: string;
          description: string;
          id: number;
          idempotency_key: string | null;
          kind: Database['public']['Enums']['transfer_kind'];
          metadata: NonNullable<Json>;
          points: number;
          redemption_id: string | null;
          referral_id: string | null;
          submission_id: string | null;
          trial_points: number | null;
        };
        SetofOptions: {
          from: '*';
          to: 'transfers';
          isOneToOne: true;
          isSetofReturn: false;
        };
      };
      review_submission: {
        Args: { p_decision: string; p_note?: string; p_reason?: string; p_submission_id: string };
        Returns: {
          appealed_at: string | null;
          campaign_id: string;
          created_at: string;
          id: string;
          is_slot_reopened: boolean;
          kept_until: string | null;
          participant_email: string | null;
          proof_text: string | null;
          proof_url: string | null;
          rejection_reason: Database['public']['Enums']['rejection_reason'] | null;
          review_check_at: string | null;
          review_due_at: string | null;
          review_note: string | null;
          reviewed_at: string | null;
          reviewed_by: string | null;
          reward_points: number;
          status: Database['public']['Enums']['submission_status'];
          submitted_at: string;
          task_id: string;
          user_id: string;
        };
        SetofOptions: {
          from: '*';
          to: 'submissions';
          isOneToOne: true;
          isSetofReturn: false;
        };
      };
      review_submissions: {
        Args: { p_decision: string; p_note?: string; p_reason?: string; p_submission_ids: string[] };
        Returns: {
          error_code: string | null;
          error_message: string | null;
          rejection_reason: Database['public']['Enums']['rejection_reason'] | null;
          review_note: string | null;
          reviewed_at: string | null;
          reviewed_by: string | null;
          status: Database['public']['Enums']['submission_status'] | null;
          submission_id: string;
        }[];
      };
      revoke_admin: { Args: { p_reason: string; p_user_id: string }; Returns: undefined };
      revoke_signing_secret: { Args: { p_secret_id: string; p_startup_id: string }; Returns: undefined };
      revoke_verification: {
        Args: { p_reason: string; p_startup_id: string };
        Returns: {
          changed_at: string | null;
          changed_from: Json | null;
          checked_at: string | null;
          created_at: string;
          description: string | null;
          former_name: string | null;
          id: string;
          industry: string;
          is_public: boolean;
          logo_url: string | null;
          name: string;
          owner_email: string | null;
          owner_user_id: string;
          renamed_at: string | null;
          review_note: string | null;
          reviewed_at: string | null;
          reviewed_by: string | null;
          revoked_at: string | null;
          status: Database['public']['Enums']['startup_status'];
          suspended_at: string | null;
          updated_at: string;
          website: string | null;
        };
        SetofOptions: {
          from: '*';
          to: 'startup_profiles';
          isOneToOne: true;
          isSetofReturn: false;
        };
      };
      run_periodic_job: { Args: { p_job: string }; Returns: undefined };
      run_security_scan: {
        Args: Record<PropertyKey, never>;
        Returns: {
          finding: string;
          object: string;
          severity: string;
        }[];
      };
      run_self_check: { Args: Record<PropertyKey, never>; Returns: Json };
      save_interests: {
        Args: { p_interests: string[] };
        Returns: {
          avatar_url: string | null;
          created_at: string;
          display_name: string | null;
          email: string | null;
          id: string;
          interests: string[];
          masked_name: string | null;
          masked_username: string | null;
          og_badge: boolean;
          provider_changed_at: string | null;
          role: Database['public']['Enums']['user_role'];
          suspended_at: string | null;
          suspension_reason: string | null;
          updated_at: string;
          user_id: string;
          username: string;
          verified_socials: NonNullable<Json>;
          welcome_email_sent_at: string | null;
        };
        SetofOptions: {
          from: '*';
          to: 'user_profiles';
          isOneToOne: true;
          isSetofReturn: false;
        };
      };
      save_provider_account: {
        Args: { p_accounts: Json; p_avatar_url: string; p_changed_at: string; p_is_admin?: boolean; p_user_id: string };
        Returns: boolean;
      };
      save_reward: {
        Args: { p_idempotency_key?: string; p_reward: Json; p_reward_id?: string };
        Returns: {
          cash_value_cents: number | null;
          created_at: string;
          delivery: Database['public']['Enums']['reward_delivery'];
          description: string;
          id: string;
          image_url: string | null;
          is_active: boolean;
          points_cost: number;
          stock_quantity: number | null;
          title: string;
          updated_at: string;
        };
        SetofOptions: {
          from: '*';
          to: 'rewards';
          isOneToOne: true;
          isSetofReturn: false;
        };
      };
      set_feedback_priority: {
        Args: { p_feedback_id: string; p_priority: string };
        Returns: {
          admin_notes: string | null;
          created_at: string;
          description: string;
          email: string | null;
          id: string;
          priority: string;
          rating: number | null;
          status: string;
          title: string;
          type: string;
          updated_at: string;
          user_id: string | null;
        };
        SetofOptions: {
          from: '*';
          to: 'beta_feedback';
          isOneToOne: true;
          isSetofReturn: false;
        };
      };
      set_mailing_list_active: {
        Args: { p_entry_id: string; p_is_active: boolean };
        Returns: {
          campaign_id: string | null;
          confirmed_at: string | null;
          email: string;
          id: string;
          is_active: boolean;
          metadata: NonNullable<Json>;
          source: string;
          status: string;
          subscribed_at: string;
          unsubscribed_at: string | null;
          updated_at: string;
          user_id: string | null;
        };
        SetofOptions: {
          from: '*';
          to: 'mailing_list';
          isOneToOne: true;
          isSetofReturn: false;
        };
      };
      set_notification_preference: { Args: { p_is_mailed: boolean; p_kind: string }; Returns: undefined };
      set_project_followed: { Args: { p_is_followed: boolean; p_startup_id: string }; Returns: boolean };
      set_public_profile: {
        Args: { p_handle: string; p_is_public?: boolean };
        Returns: {
          handle: string;
          id: string;
          is_public: boolean;
          updated_at: string;
          user_id: string;
        };
        SetofOptions: {
          from: '*';
          to: 'member_profiles';
          isOneToOne: true;
          isSetofReturn: false;
        };
      };
      set_quest_saved: { Args: { p_campaign_id: string; p_is_saved: boolean }; Returns: boolean };
      set_redemption_status: {
        Args: { p_note?: string; p_redemption_id: string; p_status: string };
        Returns: {
          cancelled_at: string | null;
          created_at: string;
          delivery: Database['public']['Enums']['reward_delivery'];
          fulfilled_at: string | null;
          handled_by: string | null;
          id: string;
          idempotency_key: string;
          is_from_stock: boolean;
          note: string | null;
          points_cost: number;
          reward_id: string;
          reward_title: string;
          status: Database['public']['Enums']['redemption_status'];
          user_id: string;
        };
        SetofOptions: {
          from: '*';
          to: 'redemptions';
          isOneToOne: true;
          isSetofReturn: false;
        };
      };
      set_referral_code_active: {
        Args: { p_code: string; p_is_active: boolean };
        Returns: {
          clicks: number;
          code: string;
          created_at: string;
          id: string;
          is_active: boolean;
          successful_referrals: number;
          total_rewards_earned: number;
          user_id: string;
        };
        SetofOptions: {
          from: '*';
          to: 'referral_codes';
          isOneToOne: true;
          isSetofReturn: false;
        };
      };
      set_startup_status: {
        Args: { p_note?: string; p_startup_id: string; p_status: string };
        Returns: {
          changed_at: string | null;
          changed_from: Json | null;
          checked_at: string | null;
          created_at: string;
          description: string | null;
          former_name: string | null;
          id: string;
          industry: string;
          is_public: boolean;
          logo_url: string | null;
          name: string;
          owner_email: string | null;
          owner_user_id: string;
          renamed_at: string | null;
          review_note: string | null;
          reviewed_at: string | null;
          reviewed_by: string | null;
          revoked_at: string | null;
          status: Database['public']['Enums']['startup_status'];
          suspended_at: string | null;
          updated_at: string;
          website: string | null;
        };
        SetofOptions: {
          from: '*';
          to: 'startup_profiles';
          isOneToOne: true;
          isSetofReturn: false;
        };
      };
      settle_due_reviews: { Args: { p_limit?: number }; Returns: number };
      settle_returned_payment: { Args: { p_decision: string; p_note: string; p_purchase_id: string }; Returns: number };
      start_task: {
        Args: {
          p_consent?: string;
          p_email?: string;
          p_expected_reward?: number;
          p_subscribe?: boolean;
          p_task_id: string;
        };
        Returns: {
          link: string | null;
          token: string;
        }[];
      };
      start_upload_check: { Args: { p_bucket: string; p_path: string }; Returns: Json };
      submit_appeal: {
        Args: { p_kind: string; p_submission_id?: string; p_words: string };
        Returns: {
          against_at: string;
          against_reason: string | null;
          created_at: string;
          decided_at: string | null;
          decided_by: string | null;
          decision_note: string | null;
          due_at: string;
          id: string;
          kind: Database['public']['Enums']['appeal_kind'];
          startup_id: string | null;
          status: Database['public']['Enums']['appeal_status'];
          submission_id: string | null;
          user_id: string;
          words: string;
        };
        SetofOptions: {
          from: '*';
          to: 'appeals';
          isOneToOne: true;
          isSetofReturn: false;
        };
      };
      submit_beta_feedback: {
        Args: { p_description: string; p_email?: string; p_rating?: number; p_title?: string; p_type: string };
        Returns: string;
      };
      submit_completion_code: {
        Args: {
          p_code: string;
          p_consent?: string;
          p_email?: string;
          p_expected_reward?: number;
          p_subscribe?: boolean;
          p_task_id: string;
        };
        Returns: Record<string, unknown>;
      };
      submit_project_feedback: {
        Args: { p_feedback_text: string; p_project_id: string; p_rating: number };
        Returns: {
          created_at: string;
          feedback_text: string;
          id: string;
          project_id: string;
          rating: number;
          updated_at: string;
          user_id: string;
        };
        SetofOptions: {
          from: '*';
          to: 'project_feedback';
          isOneToOne: true;
          isSetofReturn: false;
        };
      };
      submit_proof: {
        Args: {
          p_consent?: string;
          p_email?: string;
          p_expected_reward?: number;
          p_subscribe?: boolean;
          p_task_id: string;
          p_text?: string;
          p_url?: string;
        };
        Returns: {
          appealed_at: string | null;
          campaign_id: string;
          created_at: string;
          id: string;
          is_slot_reopened: boolean;
          kept_until: string | null;
          participant_email: string | null;
          proof_text: string | null;
          proof_url: string | null;
          rejection_reason: Database['public']['Enums']['rejection_reason'] | null;
          review_check_at: string | null;
          review_due_at: string | null;
          review_note: string | null;
          reviewed_at: string | null;
          reviewed_by: string | null;
          reward_points: number;
          status: Database['public']['Enums']['submission_status'];
          submitted_at: string;
          task_id: string;
          user_id: string;
        };
        SetofOptions: {
          from: '*';
          to: 'submissions';
          isOneToOne: true;
          isSetofReturn: false;
        };
      };
      subscribe_to_mailing_list: { Args: { p_email: string; p_metadata?: Json; p_source?: string }; Returns: string };
      suspend_user: {
        Args: { p_reason: string; p_user_id: string };
        Returns: {
          avatar_url: string | null;
          created_at: string;
          display_name: string | null;
          email: string | null;
          id: string;
          interests: string[];
          masked_name: string | null;
          masked_username: string | null;
          og_badge: boolean;
          provider_changed_at: string | null;
          role: Database['public']['Enums']['user_role'];
          suspended_at: string | null;
          suspension_reason: string | null;
          updated_at: string;
          user_id: string;
          username: string;
          verified_socials: NonNullable<Json>;
          welcome_email_sent_at: string | null;
        };
        SetofOptions: {
          from: '*';
          to: 'user_profiles';
          isOneToOne: true;
          isSetofReturn: false;
        };
      };
      switch_role: {
        Args: { p_role: string };
        Returns: {
          avatar_url: string | null;
          created_at: string;
          display_name: string | null;
          email: string | null;
          id: string;
          interests: string[];
          masked_name: string | null;
          masked_username: string | null;
          og_badge: boolean;
          provider_changed_at: string | null;
          role: Database['public']['Enums']['user_role'];
          suspended_at: string | null;
          suspension_reason: string | null;
          updated_at: string;
          user_id: string;
          username: string;
          verified_socials: NonNullable<Json>;
          welcome_email_sent_at: string | null;
        };
        SetofOptions: {
          from: '*';
          to: 'user_profiles';
          isOneToOne: true;
          isSetofReturn: false;
        };
      };
      sync_current_user: {
        Args: { p_selected_role?: string };
        Returns: {
          avatar_url: string | null;
          created_at: string;
          display_name: string | null;
          email: string | null;
          id: string;
          interests: string[];
          masked_name: string | null;
          masked_username: string | null;
          og_badge: boolean;
          provider_changed_at: string | null;
          role: Database['public']['Enums']['user_role'];
          suspended_at: string | null;
          suspension_reason: string | null;
          updated_at: string;
          user_id: string;
          username: string;
          verified_socials: NonNullable<Json>;
          welcome_email_sent_at: string | null;
        };
        SetofOptions: {
          from: '*';
          to: 'user_profiles';
          isOneToOne: true;
          isSetofReturn: false;
        };
      };
      take_rate_limit: {
        Args: { p_action: string; p_cost?: number; p_limit: number; p_subject: string; p_window_seconds: number };
        Returns: boolean;
      };
      track_referral_click: { Args: { p_code: string }; Returns: boolean };
      unpublish_campaign: {
        Args: { p_campaign_id: string; p_reason?: string };
        Returns: {
          approved_count: number;
          budget_cash_cents: number;
          budget_points: number;
          closed_at: string | null;
          collect_emails: boolean;
          created_at: string;
          custom_reward_description: string | null;
          custom_reward_title: string | null;
          details_md: string;
          email_collection_purpose: string | null;
          ends_at: string | null;
          held_at: string | null;
          held_by: string | null;
          hold_cause: Database['public']['Enums']['hold_cause'] | null;
          hold_reason: string | null;
          id: string;
          is_full: boolean | null;
          kept_count: number;
          median_minutes: number | null;
          open_reward_points: number;
          open_slots: number | null;
          participant_count: number;
          pending_count: number;
          points_distributed: number;
          published_at: string | null;
          review_hours: number;
          starts_at: string | null;
          startup_id: string;
          status: Database['public']['Enums']['campaign_status'];
          status_before_hold: Database['public']['Enums']['campaign_status'] | null;
          submission_count: number;
          summary: string;
          task_count: number;
          title: string;
          total_slots: number;
          updated_at: string;
        };
        SetofOptions: {
          from: '*';
          to: 'campaigns';
          isOneToOne: true;
          isSetofReturn: false;
        };
      };
      unsubscribe_from_mailing_list: { Args: { p_token: string }; Returns: undefined };
      update_app_settings: { Args: { p_settings: Json }; Returns: Json };
      update_beta_feedback: {
        Args: { p_admin_notes?: string; p_feedback_id: string; p_status: string };
        Returns: {
          admin_notes: string | null;
          created_at: string;
          description: string;
          email: string | null;
          id: string;
          priority: string;
          rating: number | null;
          status: string;
          title: string;
          type: string;
          updated_at: string;
          user_id: string | null;
        };
        SetofOptions: {
          from: '*';
          to: 'beta_feedback';
          isOneToOne: true;
          isSetofReturn: false;
        };
      };
      update_campaign: {
        Args: {
          p_approve_waiting?: boolean;
          p_campaign: Json;
          p_campaign_id: string;
          p_idempotency_key?: string;
          p_tasks: Json;
        };
        Returns: {
          approved_count: number;
          budget_cash_cents: number;
          budget_points: number;
          closed_at: string | null;
          collect_emails: boolean;
          created_at: string;
          custom_reward_description: string | null;
          custom_reward_title: string | null;
          details_md: string;
          email_collection_purpose: string | null;
          ends_at: string | null;
          held_at: string | null;
          held_by: string | null;
          hold_cause: Database['public']['Enums']['hold_cause'] | null;
          hold_reason: string | null;
          id: string;
          is_full: boolean | null;
          kept_count: number;
          median_minutes: number | null;
          open_reward_points: number;
          open_slots: number | null;
          participant_count: number;
          pending_count: number;
          points_distributed: number;
          published_at: string | null;
          review_hours: number;
          starts_at: string | null;
          startup_id: string;
          status: Database['public']['Enums']['campaign_status'];
          status_before_hold: Database['public']['Enums']['campaign_status'] | null;
          submission_count: number;
          summary: string;
          task_count: number;
          title: string;
          total_slots: number;
          updated_at: string;
        };
        SetofOptions: {
          from: '*';
          to: 'campaigns';
          isOneToOne: true;
          isSetofReturn: false;
        };
      };
      update_profile: {
        Args: { p_display_name: string; p_email?: string; p_username: string };
        Returns: {
          avatar_url: string | null;
          created_at: string;
          display_name: string | null;
          email: string | null;
          id: string;
          interests: string[];
          masked_name: string | null;
          masked_username: string | null;
          og_badge: boolean;
          provider_changed_at: string | null;
          role: Database['public']['Enums']['user_role'];
          suspended_at: string | null;
          suspension_reason: string | null;
          updated_at: string;
          user_id: string;
          username: string;
          verified_socials: NonNullable<Json>;
          welcome_email_sent_at: string | null;
        };
        SetofOptions: {
          from: '*';
          to: 'user_profiles';
          isOneToOne: true;
          isSetofReturn: false;
        };
      };
      update_project_feedback: {
        Args: { p_feedback_id: string; p_feedback_text: string; p_rating: number };
        Returns: {
          created_at: string;
          feedback_text: string;
          id: string;
          project_id: string;
          rating: number;
          updated_at: string;
          user_id: string;
        };
        SetofOptions: {
          from: '*';
          to: 'project_feedback';
          isOneToOne: true;
          isSetofReturn: false;
        };
      };
      update_startup_profile: {
        Args: { p_description?: string; p_logo_url?: string; p_name: string; p_startup_id: string; p_website?: string };
        Returns: {
          changed_at: string | null;
          changed_from: Json | null;
          checked_at: string | null;
          created_at: string;
          description: string | null;
          former_name: string | null;
          id: string;
          industry: string;
          is_public: boolean;
          logo_url: string | null;
          name: string;
          owner_email: string | null;
          owner_user_id: string;
          renamed_at: string | null;
          review_note: string | null;
          reviewed_at: string | null;
          reviewed_by: string | null;
          revoked_at: string | null;
          status: Database['public']['Enums']['startup_status'];
          suspended_at: string | null;
          updated_at: string;
          website: string | null;
        };
        SetofOptions: {
          from: '*';
          to: 'startup_profiles';
          isOneToOne: true;
          isSetofReturn: false;
        };
      };
      update_user_email: {
        Args: { p_email: string; p_full_name?: string; p_user_id: string };
        Returns: {
          avatar_url: string | null;
          created_at: string;
          display_name: string | null;
          email: string | null;
          id: string;
          interests: string[];
          masked_name: string | null;
          masked_username: string | null;
          og_badge: boolean;
          provider_changed_at: string | null;
          role: Database['public']['Enums']['user_role'];
          suspended_at: string | null;
          suspension_reason: string | null;
          updated_at: string;
          user_id: string;
          username: string;
          verified_socials: NonNullable<Json>;
          welcome_email_sent_at: string | null;
        };
        SetofOptions: {
          from: '*';
          to: 'user_profiles';
          isOneToOne: true;
          isSetofReturn: false;
        };
      };
      validate_campaign_creation_eligibility: { Args: { p_user_id: string }; Returns: Json };
      withdraw_email_consent: {
        Args: { p_consent_id: string };
        Returns: {
          campaign_id: string | null;
          email: string;
          given_at: string;
          handed_over_at: string | null;
          id: string;
          project_name: string;
          quest_title: string;
          statement: string;
          user_id: string;
          withdrawn_at: string | null;
        };
        SetofOptions: {
          from: '*';
          to: 'email_consents';
          isOneToOne: true;
          isSetofReturn: false;
        };
      };
    };
    Enums: {
      appeal_kind: 'suspension' | 'revocation' | 'rejection';
      appeal_status: 'open' | 'upheld' | 'overturned';
      campaign_status: 'draft' | 'published' | 'closed';
      hold_cause: 'moderation' | 'suspension' | 'revocation';
      notification_kind:
        | 'proof_approved'
        | 'proof_rejected'
        | 'points_held'
        | 'points_corrected'
        | 'redemption_decided'
        | 'referral_joined'
        | 'proofs_waiting'
        | 'quest_full'
        | 'quest_held'
        | 'project_reviewed'
        | 'account_suspended'
        | 'appeal_decided'
        | 'plan_changed'
        | 'daily_digest'
        | 'review_due'
        | 'quest_published';
      proof_type: 'screenshot' | 'link' | 'text';
      purchase_status: 'paid' | 'refunded' | 'disputed';
      redemption_status: 'pending' | 'fulfilled' | 'cancelled';
      referral_status: 'pending' | 'completed';
      rejection_reason: 'does_not_match' | 'cannot_open' | 'not_own' | 'incomplete' | 'duplicate' | 'other';
      reward_delivery: 'code' | 'mail' | 'post' | 'other';
      startup_status: 'pending' | 'verified' | 'rejected';
      submission_status: 'pending' | 'approved' | 'rejected';
      subscription_status: 'active' | 'refunded' | 'disputed' | 'cancelled' | 'expired';
      task_type: 'visit' | 'signup' | 'share' | 'follow' | 'custom' | 'others';
      task_verification: 'review' | 'automatic' | 'code' | 'call' | 'check';
      transaction_type: 'credit' | 'debit';
      transfer_kind:
        | 'task_completion'
        | 'referral_bonus'
        | 'welcome_bonus'
        | 'redemption'
        | 'refund'
        | 'trial_budget'
        | 'reserve'
        | 'release'
        | 'reversal'
        | 'adjustment'
        | 'purchase'
        | 'purchase_reversal';
      user_role: 'community' | 'startup_unverified' | 'startup_verified' | 'admin';
      wallet_kind: 'user' | 'startup' | 'reserve';
    };
    CompositeTypes: {
      [_ in never]: never;
    };
  };
};

type DatabaseWithoutInternals = Omit<Database, '__InternalSupabase'>;

type DefaultSchema = DatabaseWithoutInternals[Extract<keyof Database, 'public'>];

export type Tables<
  DefaultSchemaTableNameOrOptions extends
    | keyof (DefaultSchema['Tables'] & DefaultSchema['Views'])
    | { schema: keyof DatabaseWithoutInternals },
  TableName extends DefaultSchemaTableNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals;
  }
    ? keyof (DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions['schema']]['Tables'] &
        DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions['schema']]['Views'])
    : never = never,
> = DefaultSchemaTableNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? (DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions['schema']]['Tables'] &
      DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions['schema']]['Views'])[TableName] extends {
      Row: infer R;
    }
    ? R
    : never
  : DefaultSchemaTableNameOrOptions extends keyof (DefaultSchema['Tables'] & DefaultSchema['Views'])
    ? (DefaultSchema['Tables'] & DefaultSchema['Views'])[DefaultSchemaTableNameOrOptions] extends {
        Row: infer R;
      }
      ? R
      : never
    : never;

export type TablesInsert<
  DefaultSchemaTableNameOrOptions extends keyof DefaultSchema['Tables'] | { schema: keyof DatabaseWithoutInternals },
  TableName extends DefaultSchemaTableNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals;
  }
    ? keyof DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions['schema']]['Tables']
    : never = never,
> = DefaultSchemaTableNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions['schema']]['Tables'][TableName] extends {
      Insert: infer I;
    }
    ? I
    : never
  : DefaultSchemaTableNameOrOptions extends keyof DefaultSchema['Tables']
    ? DefaultSchema['Tables'][DefaultSchemaTableNameOrOptions] extends {
        Insert: infer I;
      }
      ? I
      : never
    : never;

export type TablesUpdate<
  DefaultSchemaTableNameOrOptions extends keyof DefaultSchema['Tables'] | { schema: keyof DatabaseWithoutInternals },
  TableName extends DefaultSchemaTableNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals;
  }
    ? keyof DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions['schema']]['Tables']
    : never = never,
> = DefaultSchemaTableNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions['schema']]['Tables'][TableName] extends {
      Update: infer U;
    }
    ? U
    : never
  : DefaultSchemaTableNameOrOptions extends keyof DefaultSchema['Tables']
    ? DefaultSchema['Tables'][DefaultSchemaTableNameOrOptions] extends {
        Update: infer U;
      }
      ? U
      : never
    : never;

export type Enums<
  DefaultSchemaEnumNameOrOptions extends keyof DefaultSchema['Enums'] | { schema: keyof DatabaseWithoutInternals },
  EnumName extends DefaultSchemaEnumNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals;
  }
    ? keyof DatabaseWithoutInternals[DefaultSchemaEnumNameOrOptions['schema']]['Enums']
    : never = never,
> = DefaultSchemaEnumNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? DatabaseWithoutInternals[DefaultSchemaEnumNameOrOptions['schema']]['Enums'][EnumName]
  : DefaultSchemaEnumNameOrOptions extends keyof DefaultSchema['Enums']
    ? DefaultSchema['Enums'][DefaultSchemaEnumNameOrOptions]
    : never;

export type CompositeTypes<
  PublicCompositeTypeNameOrOptions extends
    | keyof DefaultSchema['CompositeTypes']
    | { schema: keyof DatabaseWithoutInternals },
  CompositeTypeName extends PublicCompositeTypeNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals;
  }
    ? keyof DatabaseWithoutInternals[PublicCompositeTypeNameOrOptions['schema']]['CompositeTypes']
    : never = never,
> = PublicCompositeTypeNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? DatabaseWithoutInternals[PublicCompositeTypeNameOrOptions['schema']]['CompositeTypes'][CompositeTypeName]
  : PublicCompositeTypeNameOrOptions extends keyof DefaultSchema['CompositeTypes']
    ? DefaultSchema['CompositeTypes'][PublicCompositeTypeNameOrOptions]
    : never;

export const Constants = {
  public: {
    Enums: {
      appeal_kind: ['suspension', 'revocation', 'rejection'],
      appeal_status: ['open', 'upheld', 'overturned'],
      campaign_status: ['draft', 'published', 'closed'],
      hold_cause: ['moderation', 'suspension', 'revocation'],
      notification_kind: [
        'proof_approved',
        'proof_rejected',
        'points_held',
        'points_corrected',
        'redemption_decided',
        'referral_joined',
        'proofs_waiting',
        'quest_full',
        'quest_held',
        'project_reviewed',
        'account_suspended',
        'appeal_decided',
        'plan_changed',
        'daily_digest',
        'review_due',
        'quest_published',
      ],
      proof_type: ['screenshot', 'link', 'text'],
      purchase_status: ['paid', 'refunded', 'disputed'],
      redemption_status: ['pending', 'fulfilled', 'cancelled'],
      referral_status: ['pending', 'completed'],
      rejection_reason: ['does_not_match', 'cannot_open', 'not_own', 'incomplete', 'duplicate', 'other'],
      reward_delivery: ['code', 'mail', 'post', 'other'],
      startup_status: ['pending', 'verified', 'rejected'],
      submission_status: ['pending', 'approved', 'rejected'],
      subscription_status: ['active', 'refunded', 'disputed', 'cancelled', 'expired'],
      task_type: ['visit', 'signup', 'share', 'follow', 'custom', 'others'],
      task_verification: ['review', 'automatic', 'code', 'call', 'check'],
      transaction_type: ['credit', 'debit'],
      transfer_kind: [
        'task_completion',
        'referral_bonus',
        'welcome_bonus',
        'redemption',
        'refund',
        'trial_budget',
        'reserve',
        'release',
        'reversal',
        'adjustment',
        'purchase',
        'purchase_reversal',
      ],
      user_role: ['community', 'startup_unverified', 'startup_verified', 'admin'],
      wallet_kind: ['user', 'startup', 'reserve'],
    },
  },
} as const;
