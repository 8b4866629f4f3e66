//! Requirements for the store on every database. The test file of a database passes a function that opens an empty
//! store to [`suite!`], which creates a test for each case. After each case the ledger is audited.

pub mod adoption;
pub mod batches;
pub mod brands;
pub mod cancelling;
pub mod drafts;
pub mod events;
pub mod fallbacks;
pub mod feedback;
pub mod fixture;
pub mod invitations;
pub mod keys;
pub mod leases;
pub mod ledger;
pub mod limits;
pub mod operations;
pub mod planning;
pub mod queue;
pub mod quotas;
pub mod random_walks;
pub mod reading;
pub mod results;
pub mod retention;
pub mod secrets;
pub mod segments;
pub mod shares;
pub mod submission;
pub mod task_ends;
pub mod task_series;

macro_rules! suite {
    ($open:path) => {
        $crate::conformance::suite!(@modules $open;
            ledger {
                users_and_keys_are_unique
                secrets_are_created_once
                points_move_and_are_recorded
                no_output_costs_more_than_its_hold
                impossible_amounts_are_refused
                records_are_paged_and_filtered
            }
            keys {
                a_user_has_several_keys
                a_key_is_revoked_once
                the_last_use_moves_forward_only
            }
            invitations {
                an_invitation_is_redeemed_once
                revoked_and_expired_invitations_are_refused
            }
            submission {
                a_submission_holds_points_for_each_item
                a_free_item_works_like_any_other
                two_hundred_at_once_spend_a_hundred_points
                fifty_at_once_with_one_client_task_id_are_one_task
                another_body_under_the_same_client_task_id_is_a_conflict
                a_repeat_is_recognised_without_points
                a_repeat_is_recognised_in_every_state_for_as_long_as_the_task_is_there
                a_repeat_races_the_end_of_its_task
            }
            quotas {
                open_tasks_are_counted_until_they_end
                results_and_uploads_are_counted_while_they_are_kept
                data_in_the_database_counts
                cancelled_and_rejected_outputs_are_limited_per_hour
            }
            brands {
                a_brand_keeps_the_uploads_of_its_user
            }
            feedback {
                picks_and_comments_belong_to_a_share
                comments_are_limited_even_at_once
                feedback_ends_with_its_share
            }
            drafts {
                a_draft_is_replaced_only_by_those_who_know_it
                uploads_of_drafts_are_not_deleted
                drafts_count_towards_the_quota
            }
            leases {
                leases_are_kept_together
                every_method_that_takes_a_lease_is_tried
                a_stale_lease_changes_nothing
                a_lease_is_valid_only_for_its_kind_of_work
                sixty_four_racers_deliver_once
                returning_work_does_not_count_as_an_attempt
                postponing_work_does_not_count_as_an_attempt
                the_third_failure_ends_the_work
                each_kind_of_work_is_tried_three_times_not_counting_lost_leases
                a_failure_waits_for_its_time
                expired_leases_are_revoked
                the_tenth_lost_lease_ends_the_work
                a_slow_machine_gets_longer_leases
                requeued_work_has_leases_as_before
                a_user_at_their_limit_does_not_delay_others
            }
            planning {
                holds_are_replaced_at_the_confirmed_price
                a_price_beyond_the_balance_rejects
                a_task_without_renderable_items_is_rejected_with_every_bad_input
                a_bad_item_fails_alone
                a_failed_preflight_rejects
                a_plan_that_lacks_a_segment_changes_nothing
                finishes_come_before_preflights_before_segments
                segments_come_in_the_order_of_tasks_items_and_places
            }
            queue {
                the_user_with_the_fewest_running_jobs_is_next
                ten_thousand_items_delay_another_users_first_by_one_item
                among_equal_users_the_least_recently_served_is_next
                the_longest_segment_of_an_item_comes_first
                audio_of_an_item_is_claimed_before_video
                a_worker_gets_only_what_it_can_do
                an_assembling_worker_gets_a_share_of_the_assemblies
                an_assembling_worker_gets_more_while_others_render_segments
                fetching_and_rendering_work_is_limited_separately
                outputs_that_wait_for_a_worker_are_listed
                nothing_is_claimed_while_paused
                several_jobs_are_claimed_at_once_in_turn
                work_is_requeued
                the_overview_counts_waiting_and_running_work
                workers_report_themselves
                remaining_work_and_throughput_are_reported
                failures_are_listed_latest_first
            }
            segments {
                two_tasks_share_running_work
                concurrent_reports_are_written_individually
                existing_segments_need_no_work
                segments_rendered_during_preflight_are_reused
                evicted_segments_are_rendered_again
                missing_segments_are_rendered_again
                a_cache_that_keeps_nothing_ends_the_item
                a_failure_fails_the_items_that_wait_for_it
                another_user_gets_a_try_with_their_own_source
                a_failed_segment_is_retried_for_a_new_task
                unneeded_work_is_dropped
                progress_counts_shared_work_once_and_never_decreases
            }
            fallbacks {
                a_failed_encoder_re_encodes_whole_items_and_no_others
                a_segment_knows_the_only_output_that_waits_for_it
                an_item_that_cannot_be_joined_is_re_encoded
                items_that_began_to_wait_meanwhile_are_served
            }
            task_ends {
                a_task_ends_with_its_last_item
                some_failed_items_make_a_completed_task
                only_failed_items_make_a_failed_task
                settling_never_exceeds_the_hold
            }
            cancelling {
                a_task_is_cancelled_during_preflight
                delivered_outputs_remain_and_are_charged
                an_item_in_its_last_step_is_cancelled
                work_that_another_live_task_needs_continues
                final_states_stay
                cancelling_races_delivery
                cancelling_twice_at_once_is_once
                leaseholders_are_notified
            }
            events {
                a_final_state_has_one_event_and_others_have_none
                attempts_wait_for_their_time_and_are_logged
                a_lost_sender_changes_nothing_and_the_event_is_sent_again
                events_survive_clocks_that_jump
                a_hanging_receiver_does_not_delay_other_users
                a_replaced_secret_remains_valid_for_its_overlap
                items_are_numbered_as_they_end
                many_tasks_have_one_event_each_despite_lost_senders
            }
            limits {
                an_estimate_above_the_limit_stores_nothing
                a_confirmed_price_above_the_limit_rejects
                a_batch_never_costs_more_than_its_limit
                a_row_is_priced_while_others_of_its_batch_wait
                rows_planned_at_once_stay_below_the_batch_limit
                a_row_above_the_limit_of_its_own_request_is_refused
            }
            batches {
                the_whole_price_is_held_and_moves_to_tasks
                a_batch_without_the_points_is_refused_unless_it_may_be_partial
                a_row_becomes_one_task_despite_concurrent_attempts
                a_failed_row_is_retried_in_its_batch
                a_row_is_retried_while_others_wait
                a_retried_row_keeps_to_the_limits_of_batches
                replaced_tasks_count_for_the_limit_of_their_batch
                a_paused_batch_waits_and_a_cancelled_one_gives_back
                a_batch_keeps_to_limits_and_its_uploads_are_kept
                a_row_near_the_storage_quota_becomes_a_task_or_waits
                files_are_named_by_task_batch_and_row
                a_batch_is_one_entry_among_tasks
            }
            operations {
                only_spendable_points_are_deducted
                texts_to_listen_to_are_charged_and_limited
                a_deduction_races_submissions
                a_user_is_disabled_and_enabled_again
                open_work_of_a_disabled_user_is_listed_and_batches_pause
                a_pause_has_a_reason
                failures_are_counted_by_their_cause
                usage_is_summed_by_user_and_day
            }
            reading {
                tasks_are_paged_filtered_and_private
                the_queue_is_counted_from_one
                results_and_uploads_are_found
                tasks_are_found_by_their_names
                a_task_is_found_by_its_latest_name
                concurrent_renames_leave_one_name
                rare_and_common_words_are_found_together
                outputs_are_found_by_their_tasks
                uploads_are_a_library
            }
            secrets {
                the_link_secret_is_rotated_with_an_overlap
                a_database_knows_its_installation_and_whether_it_has_tasks
                the_width_is_stored_once_and_changed_only_by_an_operator
                a_clock_that_jumped_is_distrusted_until_it_was_steady
                without_a_check_the_end_of_the_last_pass_counts
            }
            shares { a_share_shows_outputs_of_several_tasks }
            retention {
                a_job_is_run_by_one_process_at_a_time
                expired_results_are_deleted
                uploads_are_deleted_unless_an_open_task_uses_them
                tasks_are_deleted_with_everything_but_the_ledger
                a_share_lasts_as_long_as_its_last_task
                a_forgotten_client_task_id_is_free_again
                inputs_of_open_items_are_in_use
                metrics_report_the_state
                counts_of_many_rows_are_shared
                counts_of_a_long_queue_are_shared
                segments_are_needed_until_their_items_are_assembled
                work_and_callbacks_know_the_trace_of_their_task
            }
            results {
                a_task_waits_for_the_items_that_it_uses
                a_waiting_task_is_not_before_others_in_the_queue
                the_last_of_several_tasks_ends_the_wait
                a_task_does_not_wait_indefinitely
                no_end_of_a_source_is_missed
                chains_and_sizes_are_known_before_outputs_exist
                results_are_kept_while_an_open_task_or_batch_uses_them
                a_source_that_is_gone_does_not_block
            }
            random_walks { random_walks_keep_every_promise }
        );
    };
    (@modules $open:path; $($module:ident { $($case:ident)* })*) => {
        $(mod $module {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $case() {
                let (store, _guard) = $open().await;
                let fixture = $crate::conformance::fixture::Fixture::new(store);
                $crate::conformance::$module::$case(&fixture).await;
                fixture.check().await;
            })*
        })*
    };
}

pub(crate) use suite;
